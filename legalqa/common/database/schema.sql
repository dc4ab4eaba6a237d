CREATE FUNCTION accounts_auditevent_append_only() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$ BEGIN RAISE EXCEPTION 'rows of accounts_auditevent cannot be changed'; END $$;
CREATE FUNCTION accounts_auditevent_chain() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
DECLARE
    last_sequence bigint;
    last_digest text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || NEW.organization_id::text, 0));
    EXECUTE format('SELECT sequence, digest FROM %s WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 1',
        TG_RELID::regclass) INTO last_sequence, last_digest USING NEW.organization_id;
    NEW.at := clock_timestamp();
    NEW.sequence := coalesce(last_sequence, 0) + 1;
    NEW.previous := coalesce(last_digest, repeat('0', 64));
    NEW.digest := accounts_auditevent_digest(jsonb_populate_record(NULL::accounts_auditevent, to_jsonb(NEW)));
    RETURN NEW;
END $_$;
CREATE TABLE accounts_auditevent (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    actor_id uuid,
    action character varying(60) NOT NULL,
    subject_id uuid,
    details jsonb NOT NULL,
    organization_id uuid NOT NULL,
    address character varying(45) NOT NULL,
    digest character varying(64) NOT NULL,
    previous character varying(64) NOT NULL,
    sequence bigint NOT NULL,
    source character varying(10) NOT NULL
);
ALTER TABLE ONLY accounts_auditevent FORCE ROW LEVEL SECURITY;
CREATE FUNCTION accounts_auditevent_digest(event accounts_auditevent) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT encode(sha256(convert_to(
        string_agg(coalesce(octet_length(field)::text || ':' || field, '-'), '' ORDER BY place), 'UTF8')), 'hex')
    FROM unnest(ARRAY[
        event.organization_id::text, event.sequence::text, event.id::text,
        to_char(event.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        event.actor_id::text, event.action, event.subject_id::text, event.details::text,
        event.source, event.address, event.previous
    ]) WITH ORDINALITY AS fields(field, place)
$$;
CREATE TABLE accounts_apitoken (
    id uuid NOT NULL,
    name character varying(80) NOT NULL,
    prefix character varying(12) NOT NULL,
    digest character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    scopes character varying(40)[] NOT NULL,
    addresses character varying(50)[] NOT NULL
);
CREATE TABLE accounts_invitation (
    id uuid NOT NULL,
    digest character varying(64) NOT NULL,
    email character varying(254) NOT NULL,
    role character varying(20) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    invited_by_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    mailed_at timestamp with time zone,
    CONSTRAINT invitation_role_known CHECK (((role)::text = ANY (ARRAY[('owner'::character varying)::text, ('corpus_manager'::character varying)::text, ('lawyer'::character varying)::text, ('annotator'::character varying)::text])))
);
CREATE TABLE accounts_keptreply (
    id uuid NOT NULL,
    endpoint character varying(200) NOT NULL,
    key character varying(255) NOT NULL,
    digest character varying(64) NOT NULL,
    lease uuid NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    subject_id uuid,
    status smallint,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    CONSTRAINT accounts_keptreply_status_check CHECK ((status >= 0))
);
ALTER TABLE ONLY accounts_keptreply FORCE ROW LEVEL SECURITY;
CREATE TABLE accounts_membership (
    id uuid NOT NULL,
    role character varying(20) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT membership_role_known CHECK (((role)::text = ANY (ARRAY[('owner'::character varying)::text, ('corpus_manager'::character varying)::text, ('lawyer'::character varying)::text, ('annotator'::character varying)::text])))
);
ALTER TABLE ONLY accounts_membership FORCE ROW LEVEL SECURITY;
CREATE TABLE accounts_organization (
    id uuid NOT NULL,
    slug character varying(60) NOT NULL,
    name character varying(120) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    needs_second_factor boolean NOT NULL
);
CREATE TABLE accounts_recoverycode (
    id uuid NOT NULL,
    digest character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    user_id uuid NOT NULL
);
CREATE TABLE accounts_requestcount (
    id uuid NOT NULL,
    subject_id uuid NOT NULL,
    kind character varying(20) NOT NULL,
    period bigint NOT NULL,
    day integer NOT NULL,
    n integer NOT NULL,
    n_before integer NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT accounts_requestcount_n_before_check CHECK ((n_before >= 0)),
    CONSTRAINT accounts_requestcount_n_check CHECK ((n >= 0))
);
ALTER TABLE ONLY accounts_requestcount FORCE ROW LEVEL SECURITY;
CREATE TABLE accounts_resetrequest (
    id uuid NOT NULL,
    email_digest character varying(64) NOT NULL,
    address character varying(45) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE accounts_secondfactor (
    id uuid NOT NULL,
    secret text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint NOT NULL,
    failures smallint NOT NULL,
    paused_until timestamp with time zone,
    user_id uuid NOT NULL,
    CONSTRAINT accounts_secondfactor_failures_check CHECK ((failures >= 0))
);
CREATE TABLE accounts_session (
    session_key character varying(64) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL,
    public_id uuid NOT NULL,
    address character varying(45) NOT NULL,
    agent character varying(300) NOT NULL,
    signed_in_at timestamp with time zone,
    last_seen_at timestamp with time zone,
    user_id uuid
);
CREATE TABLE accounts_signinlink (
    id uuid NOT NULL,
    digest character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    user_id uuid NOT NULL,
    made_by_id uuid
);
CREATE TABLE accounts_user (
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    id uuid NOT NULL,
    email character varying(254) NOT NULL,
    name character varying(120) NOT NULL,
    is_active boolean NOT NULL,
    is_staff boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    address_proved_at timestamp with time zone
);
CREATE TABLE accounts_user_groups (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE accounts_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME accounts_user_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE accounts_user_user_permissions (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE accounts_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME accounts_user_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE answering_answer (
    id uuid NOT NULL,
    state character varying(24) NOT NULL,
    mode character varying(12) NOT NULL,
    why text NOT NULL,
    confidence double precision,
    preset character varying(40) NOT NULL,
    pipeline jsonb NOT NULL,
    fingerprint character varying(64) NOT NULL,
    evidence jsonb NOT NULL,
    seconds double precision NOT NULL,
    created_at timestamp with time zone NOT NULL,
    organization_id uuid NOT NULL,
    question_id uuid NOT NULL,
    asked jsonb NOT NULL,
    generation jsonb NOT NULL,
    purpose character varying(12) NOT NULL,
    strategy character varying(40) NOT NULL,
    made_from jsonb NOT NULL,
    unchecked_text text NOT NULL,
    composition jsonb NOT NULL,
    CONSTRAINT answer_mode_known CHECK (((mode)::text = ANY (ARRAY[('extractive'::character varying)::text, ('written'::character varying)::text]))),
    CONSTRAINT answer_purpose_known CHECK (((purpose)::text = ANY (ARRAY[('asked'::character varying)::text, ('experiment'::character varying)::text]))),
    CONSTRAINT answer_state_known CHECK (((state)::text = ANY (ARRAY[('working'::character varying)::text, ('answered'::character varying)::text, ('partial'::character varying)::text, ('insufficient_evidence'::character varying)::text, ('failed'::character varying)::text, ('cancelled'::character varying)::text]))),
    CONSTRAINT answer_unchecked_in_experiments CHECK (((unchecked_text = ''::text) OR ((purpose)::text = 'experiment'::text)))
);
ALTER TABLE ONLY answering_answer FORCE ROW LEVEL SECURITY;
CREATE TABLE answering_answergrade (
    id uuid NOT NULL,
    grade character varying(16) NOT NULL,
    note text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    answer_id uuid NOT NULL,
    corpus_id uuid NOT NULL,
    grader_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    correction text NOT NULL,
    CONSTRAINT answer_grade_known CHECK (((grade)::text = ANY (ARRAY[('right'::character varying)::text, ('partly'::character varying)::text, ('wrong'::character varying)::text, ('rightly_silent'::character varying)::text, ('missed'::character varying)::text])))
);
ALTER TABLE ONLY answering_answergrade FORCE ROW LEVEL SECURITY;
CREATE TABLE answering_answerstep (
    id bigint NOT NULL,
    ordinal smallint NOT NULL,
    name character varying(40) NOT NULL,
    label character varying(120) NOT NULL,
    sentence character varying(200) NOT NULL,
    state character varying(12) NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    detail jsonb NOT NULL,
    answer_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT answer_step_state_known CHECK (((state)::text = ANY (ARRAY[('waiting'::character varying)::text, ('working'::character varying)::text, ('done'::character varying)::text, ('stopped'::character varying)::text]))),
    CONSTRAINT answering_answerstep_ordinal_check CHECK ((ordinal >= 0))
);
ALTER TABLE ONLY answering_answerstep FORCE ROW LEVEL SECURITY;
ALTER TABLE answering_answerstep ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME answering_answerstep_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE answering_citation (
    id bigint NOT NULL,
    rank smallint NOT NULL,
    page integer NOT NULL,
    page_label character varying(40) NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    quote text NOT NULL,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL,
    version_id uuid NOT NULL,
    claim_id bigint NOT NULL,
    CONSTRAINT answering_citation_end_check CHECK (("end" >= 0)),
    CONSTRAINT answering_citation_page_check CHECK ((page >= 0)),
    CONSTRAINT answering_citation_rank_check CHECK ((rank >= 0)),
    CONSTRAINT answering_citation_start_check CHECK ((start >= 0)),
    CONSTRAINT citation_span_ordered CHECK ((start < "end"))
);
ALTER TABLE ONLY answering_citation FORCE ROW LEVEL SECURITY;
ALTER TABLE answering_citation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME answering_citation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE answering_claim (
    id bigint NOT NULL,
    ordinal smallint NOT NULL,
    text text NOT NULL,
    verdict character varying(12) NOT NULL,
    is_shown boolean NOT NULL,
    reason character varying(200) NOT NULL,
    answer_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    answer_end integer NOT NULL,
    answer_start integer NOT NULL,
    part character varying(12) NOT NULL,
    provision smallint NOT NULL,
    CONSTRAINT answering_claim_answer_end_check CHECK ((answer_end >= 0)),
    CONSTRAINT answering_claim_answer_start_check CHECK ((answer_start >= 0)),
    CONSTRAINT answering_claim_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT answering_claim_provision_check CHECK ((provision >= 0)),
    CONSTRAINT claim_answer_ordered CHECK ((answer_start <= answer_end)),
    CONSTRAINT claim_part_known CHECK (((part)::text = ANY (ARRAY[('answer'::character varying)::text, ('stem'::character varying)::text, ('item'::character varying)::text, ('rule'::character varying)::text, ('exception'::character varying)::text]))),
    CONSTRAINT claim_verdict_known CHECK (((verdict)::text = ANY (ARRAY[('supported'::character varying)::text, ('partly'::character varying)::text, ('unsupported'::character varying)::text, ('contradicted'::character varying)::text])))
);
ALTER TABLE ONLY answering_claim FORCE ROW LEVEL SECURITY;
ALTER TABLE answering_claim ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME answering_claim_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE answering_clausequestion (
    id uuid NOT NULL,
    name character varying(80) NOT NULL,
    question character varying(300) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    created_by_id uuid,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY answering_clausequestion FORCE ROW LEVEL SECURITY;
CREATE TABLE answering_clausereview (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    documents uuid[] NOT NULL,
    clauses character varying(60)[] NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY answering_clausereview FORCE ROW LEVEL SECURITY;
CREATE TABLE answering_clauseverdict (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    clause character varying(60) NOT NULL,
    state character varying(8) NOT NULL,
    probability double precision NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    reviewed_state character varying(8) NOT NULL,
    reviewed_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    document_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    paragraph_id bigint,
    reviewed_by_id uuid,
    version_id uuid NOT NULL,
    CONSTRAINT answering_clauseverdict_end_check CHECK (("end" >= 0)),
    CONSTRAINT answering_clauseverdict_start_check CHECK ((start >= 0)),
    CONSTRAINT clause_reviewed_state_known CHECK (((reviewed_state)::text = ANY (ARRAY[(''::character varying)::text, ('present'::character varying)::text, ('absent'::character varying)::text, ('unsure'::character varying)::text]))),
    CONSTRAINT clause_state_known CHECK (((state)::text = ANY (ARRAY[('present'::character varying)::text, ('absent'::character varying)::text, ('unsure'::character varying)::text])))
);
ALTER TABLE ONLY answering_clauseverdict FORCE ROW LEVEL SECURITY;
CREATE TABLE answering_contradiction (
    id uuid NOT NULL,
    kind character varying(40) NOT NULL,
    score double precision NOT NULL,
    spans jsonb NOT NULL,
    resolution text NOT NULL,
    state character varying(16) NOT NULL,
    reviewed_at timestamp with time zone,
    seen_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    paragraph_a_id bigint NOT NULL,
    paragraph_b_id bigint NOT NULL,
    reviewed_by_id uuid,
    CONSTRAINT contradiction_state_known CHECK (((state)::text = ANY (ARRAY[('open'::character varying)::text, ('confirmed'::character varying)::text, ('not_a_conflict'::character varying)::text, ('resolved'::character varying)::text])))
);
ALTER TABLE ONLY answering_contradiction FORCE ROW LEVEL SECURITY;
CREATE TABLE answering_conversationshare (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    question_id uuid NOT NULL,
    member_id uuid NOT NULL,
    shared_by_id uuid NOT NULL,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY answering_conversationshare FORCE ROW LEVEL SECURITY;
ALTER TABLE answering_conversationshare ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME answering_conversationshare_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE answering_passagejudgment (
    id bigint NOT NULL,
    is_support boolean NOT NULL,
    grade_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL
);
ALTER TABLE ONLY answering_passagejudgment FORCE ROW LEVEL SECURITY;
ALTER TABLE answering_passagejudgment ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME answering_passagejudgment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE answering_question (
    id uuid NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    asker_id uuid,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    follows_id uuid,
    title character varying(200) NOT NULL,
    conversation uuid NOT NULL
);
ALTER TABLE ONLY answering_question FORCE ROW LEVEL SECURITY;
CREATE TABLE answering_readeractivation (
    created_at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    reader_id uuid
);
ALTER TABLE ONLY answering_readeractivation FORCE ROW LEVEL SECURITY;
ALTER TABLE answering_readeractivation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME answering_readeractivation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE answering_trainedreader (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    number integer NOT NULL,
    state character varying(12) NOT NULL,
    training jsonb NOT NULL,
    source character varying(120) NOT NULL,
    report jsonb NOT NULL,
    fingerprint character varying(64) NOT NULL,
    finished_at timestamp with time zone,
    data bytea NOT NULL,
    data_fingerprint character varying(64) NOT NULL,
    artefact bytea,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT answering_trainedreader_number_check CHECK ((number >= 0)),
    CONSTRAINT reader_ready_whole CHECK ((((state)::text = 'building'::text) OR (((state)::text = 'ready'::text) AND (artefact IS NOT NULL) AND (finished_at IS NOT NULL) AND (NOT ((fingerprint)::text = ''::text)))))
);
ALTER TABLE ONLY answering_trainedreader FORCE ROW LEVEL SECURITY;
CREATE TABLE auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);
ALTER TABLE auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);
ALTER TABLE auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE axes_accessattempt (
    id integer NOT NULL,
    user_agent character varying(255) NOT NULL,
    ip_address inet,
    username character varying(255),
    http_accept character varying(1025) NOT NULL,
    path_info character varying(255) NOT NULL,
    attempt_time timestamp with time zone NOT NULL,
    get_data text NOT NULL,
    post_data text NOT NULL,
    failures_since_start integer NOT NULL,
    CONSTRAINT axes_accessattempt_failures_since_start_check CHECK ((failures_since_start >= 0))
);
ALTER TABLE axes_accessattempt ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME axes_accessattempt_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE axes_accessattemptexpiration (
    access_attempt_id integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE axes_accessfailurelog (
    id integer NOT NULL,
    user_agent character varying(255) NOT NULL,
    ip_address inet,
    username character varying(255),
    http_accept character varying(1025) NOT NULL,
    path_info character varying(255) NOT NULL,
    attempt_time timestamp with time zone NOT NULL,
    locked_out boolean NOT NULL
);
ALTER TABLE axes_accessfailurelog ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME axes_accessfailurelog_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE axes_accesslog (
    id integer NOT NULL,
    user_agent character varying(255) NOT NULL,
    ip_address inet,
    username character varying(255),
    http_accept character varying(1025) NOT NULL,
    path_info character varying(255) NOT NULL,
    attempt_time timestamp with time zone NOT NULL,
    logout_time timestamp with time zone,
    session_hash character varying(64) NOT NULL
);
ALTER TABLE axes_accesslog ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME axes_accesslog_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_addedencoder (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    source character varying(10) NOT NULL,
    name character varying(80) NOT NULL,
    title character varying(120) NOT NULL,
    model character varying(240) NOT NULL,
    dimensions smallint NOT NULL,
    window_tokens integer NOT NULL,
    pooling character varying(40) NOT NULL,
    cue_query character varying(300) NOT NULL,
    cue_passage character varying(300) NOT NULL,
    licence character varying(60) NOT NULL,
    n_bytes bigint NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT corpora_addedencoder_dimensions_check CHECK ((dimensions >= 0)),
    CONSTRAINT corpora_addedencoder_n_bytes_check CHECK ((n_bytes >= 0)),
    CONSTRAINT corpora_addedencoder_window_tokens_check CHECK ((window_tokens >= 0)),
    CONSTRAINT encoder_source_known CHECK (((source)::text = ANY (ARRAY[('folder'::character varying)::text, ('endpoint'::character varying)::text])))
);
ALTER TABLE ONLY corpora_addedencoder FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_chunk (
    id bigint NOT NULL,
    ordinal integer NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    first_paragraph integer NOT NULL,
    last_paragraph integer NOT NULL,
    heading text NOT NULL,
    text text NOT NULL,
    is_live boolean NOT NULL,
    terms bytea NOT NULL,
    counts bytea NOT NULL,
    length integer NOT NULL,
    organization_id uuid NOT NULL,
    chunk_set_id uuid NOT NULL,
    corpus_id uuid NOT NULL,
    document_id uuid NOT NULL,
    version_id uuid NOT NULL,
    is_parent boolean NOT NULL,
    parent_ordinal integer,
    context text NOT NULL,
    CONSTRAINT chunk_span_ordered CHECK ((start < "end")),
    CONSTRAINT corpora_chunk_end_check CHECK (("end" >= 0)),
    CONSTRAINT corpora_chunk_first_paragraph_check CHECK ((first_paragraph >= 0)),
    CONSTRAINT corpora_chunk_last_paragraph_check CHECK ((last_paragraph >= 0)),
    CONSTRAINT corpora_chunk_length_check CHECK ((length >= 0)),
    CONSTRAINT corpora_chunk_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT corpora_chunk_parent_ordinal_check CHECK ((parent_ordinal >= 0)),
    CONSTRAINT corpora_chunk_start_check CHECK ((start >= 0))
);
ALTER TABLE ONLY corpora_chunk FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_chunk ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_chunk_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_chunkadvice (
    id bigint NOT NULL,
    key character varying(64) NOT NULL,
    value jsonb,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY corpora_chunkadvice FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_chunkadvice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_chunkadvice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_chunkset (
    id uuid NOT NULL,
    chunker jsonb NOT NULL,
    fingerprint character varying(64) NOT NULL,
    is_live boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    organization_id uuid NOT NULL,
    corpus_id uuid NOT NULL,
    retired_at timestamp with time zone,
    is_kept boolean NOT NULL,
    filled_at timestamp with time zone,
    context character varying(10) NOT NULL
);
ALTER TABLE ONLY corpora_chunkset FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_corpus (
    id uuid NOT NULL,
    name character varying(120) NOT NULL,
    slug character varying(60) NOT NULL,
    description character varying(300) NOT NULL,
    language character varying(20) NOT NULL,
    is_walled boolean NOT NULL,
    chunker jsonb NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    organization_id uuid NOT NULL,
    encoder character varying(80) NOT NULL,
    removal_begun_at timestamp with time zone,
    removal_due_at timestamp with time zone,
    answer_threshold double precision,
    context character varying(10) NOT NULL,
    CONSTRAINT corpora_corpus_version_check CHECK ((version >= 0))
);
ALTER TABLE ONLY corpora_corpus FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_corpusmember (
    id uuid NOT NULL,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL
);
ALTER TABLE ONLY corpora_corpusmember FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_document (
    id uuid NOT NULL,
    name character varying(200) NOT NULL,
    title character varying(300) NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    current_id uuid,
    container_id uuid,
    is_title_given boolean NOT NULL,
    authority character varying(300) NOT NULL,
    field_reasons jsonb NOT NULL,
    given_fields jsonb NOT NULL,
    jurisdiction character varying(120) NOT NULL,
    kind character varying(16) NOT NULL,
    CONSTRAINT document_kind_known CHECK (((kind)::text = ANY (ARRAY[(''::character varying)::text, ('law'::character varying)::text, ('regulation'::character varying)::text, ('rule'::character varying)::text, ('policy'::character varying)::text, ('contract'::character varying)::text, ('guidance'::character varying)::text, ('form'::character varying)::text, ('decision'::character varying)::text, ('correspondence'::character varying)::text, ('other'::character varying)::text])))
);
ALTER TABLE ONLY corpora_document FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_documentversion (
    id uuid NOT NULL,
    number integer NOT NULL,
    state character varying(12) NOT NULL,
    reason character varying(40) NOT NULL,
    detail character varying(400) NOT NULL,
    warnings jsonb NOT NULL,
    kind character varying(12) NOT NULL,
    sha256 character varying(64) NOT NULL,
    size bigint NOT NULL,
    file_id uuid NOT NULL,
    text text NOT NULL,
    n_pages integer NOT NULL,
    n_paragraphs integer NOT NULL,
    n_chunks integer NOT NULL,
    effective_date date,
    created_at timestamp with time zone NOT NULL,
    ready_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    document_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    effective_date_reason character varying(300) NOT NULL,
    is_effective_date_given boolean NOT NULL,
    CONSTRAINT corpora_documentversion_n_chunks_check CHECK ((n_chunks >= 0)),
    CONSTRAINT corpora_documentversion_n_pages_check CHECK ((n_pages >= 0)),
    CONSTRAINT corpora_documentversion_n_paragraphs_check CHECK ((n_paragraphs >= 0)),
    CONSTRAINT corpora_documentversion_number_check CHECK ((number >= 0)),
    CONSTRAINT corpora_documentversion_size_check CHECK ((size >= 0)),
    CONSTRAINT version_state_known CHECK (((state)::text = ANY (ARRAY[('received'::character varying)::text, ('parsed'::character varying)::text, ('chunked'::character varying)::text, ('ready'::character varying)::text, ('refused'::character varying)::text, ('superseded'::character varying)::text])))
);
ALTER TABLE ONLY corpora_documentversion FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_embedding (
    id bigint NOT NULL,
    encoder character varying(80) NOT NULL,
    "window" smallint NOT NULL,
    text_hash character varying(64) NOT NULL,
    is_live boolean NOT NULL,
    vector vector NOT NULL,
    chunk_id bigint NOT NULL,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT corpora_embedding_window_check CHECK (("window" >= 0))
);
ALTER TABLE ONLY corpora_embedding FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_embedding ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_embedding_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_encoderactivation (
    id uuid NOT NULL,
    is_rollback boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    switched_at timestamp with time zone,
    undone_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    encoder_id uuid,
    added_id uuid
);
ALTER TABLE ONLY corpora_encoderactivation FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_member (
    id bigint NOT NULL,
    ordinal integer NOT NULL,
    name character varying(300) NOT NULL,
    reason character varying(40) NOT NULL,
    detail character varying(400) NOT NULL,
    document_id uuid,
    organization_id uuid NOT NULL,
    version_id uuid NOT NULL,
    CONSTRAINT corpora_member_ordinal_check CHECK ((ordinal >= 0))
);
ALTER TABLE ONLY corpora_member FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_member ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_member_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_page (
    id bigint NOT NULL,
    number integer NOT NULL,
    label character varying(40) NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    width double precision NOT NULL,
    height double precision NOT NULL,
    boxes bytea NOT NULL,
    organization_id uuid NOT NULL,
    version_id uuid NOT NULL,
    confidence double precision,
    CONSTRAINT corpora_page_end_check CHECK (("end" >= 0)),
    CONSTRAINT corpora_page_number_check CHECK ((number >= 0)),
    CONSTRAINT corpora_page_start_check CHECK ((start >= 0)),
    CONSTRAINT page_span_ordered CHECK ((start <= "end"))
);
ALTER TABLE ONLY corpora_page FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_page ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_page_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_paragraph (
    id bigint NOT NULL,
    public_id character varying(120) NOT NULL,
    external_id character varying(200) NOT NULL,
    hash character varying(12) NOT NULL,
    text text NOT NULL,
    document_id uuid NOT NULL,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY corpora_paragraph FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_paragraph ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_paragraph_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_passagevector (
    id bigint NOT NULL,
    digest character varying(32) NOT NULL,
    vector halfvec(384) NOT NULL,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    position_id bigint NOT NULL
);
ALTER TABLE ONLY corpora_passagevector FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_passagevector ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_passagevector_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_position (
    id bigint NOT NULL,
    ordinal integer NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    page integer NOT NULL,
    page_label character varying(40) NOT NULL,
    kind character varying(10) NOT NULL,
    level smallint NOT NULL,
    heading_path text[] NOT NULL,
    label character varying(60) NOT NULL,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL,
    version_id uuid NOT NULL,
    role character varying(12) NOT NULL,
    CONSTRAINT corpora_position_end_check CHECK (("end" >= 0)),
    CONSTRAINT corpora_position_level_check CHECK ((level >= 0)),
    CONSTRAINT corpora_position_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT corpora_position_page_check CHECK ((page >= 0)),
    CONSTRAINT corpora_position_start_check CHECK ((start >= 0)),
    CONSTRAINT position_span_ordered CHECK ((start < "end"))
);
ALTER TABLE ONLY corpora_position FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_position ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_position_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_recognition (
    id bigint NOT NULL,
    number integer NOT NULL,
    text text NOT NULL,
    boxes bytea NOT NULL,
    confidence double precision,
    organization_id uuid NOT NULL,
    version_id uuid NOT NULL,
    CONSTRAINT corpora_recognition_number_check CHECK ((number >= 0))
);
ALTER TABLE ONLY corpora_recognition FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_recognition ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_recognition_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_trainedencoder (
    id uuid NOT NULL,
    number integer NOT NULL,
    state character varying(12) NOT NULL,
    training jsonb NOT NULL,
    source character varying(120) NOT NULL,
    data bytea NOT NULL,
    data_fingerprint character varying(64) NOT NULL,
    report jsonb NOT NULL,
    artefact bytea,
    fingerprint character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT corpora_trainedencoder_number_check CHECK ((number >= 0)),
    CONSTRAINT encoder_ready_whole CHECK ((((state)::text = 'building'::text) OR (((state)::text = 'ready'::text) AND (artefact IS NOT NULL) AND (finished_at IS NOT NULL) AND (NOT ((fingerprint)::text = ''::text)))))
);
ALTER TABLE ONLY corpora_trainedencoder FORCE ROW LEVEL SECURITY;
CREATE TABLE corpora_watchedfile (
    id bigint NOT NULL,
    name character varying(1000) NOT NULL,
    size bigint NOT NULL,
    modified_ns bigint NOT NULL,
    state character varying(8) NOT NULL,
    reason character varying(400) NOT NULL,
    document_id uuid,
    organization_id uuid NOT NULL,
    folder_id uuid NOT NULL,
    CONSTRAINT corpora_watchedfile_size_check CHECK ((size >= 0)),
    CONSTRAINT watched_state_known CHECK (((state)::text = ANY (ARRAY[('seen'::character varying)::text, ('taken'::character varying)::text, ('refused'::character varying)::text, ('missing'::character varying)::text, ('removed'::character varying)::text])))
);
ALTER TABLE ONLY corpora_watchedfile FORCE ROW LEVEL SECURITY;
ALTER TABLE corpora_watchedfile ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME corpora_watchedfile_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE corpora_watchedfolder (
    id uuid NOT NULL,
    path character varying(1000) NOT NULL,
    is_by_command boolean NOT NULL,
    removes_missing boolean NOT NULL,
    problem character varying(200) NOT NULL,
    looked_at timestamp with time zone,
    busy_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY corpora_watchedfolder FORCE ROW LEVEL SECURITY;
CREATE TABLE django_admin_log (
    id integer NOT NULL,
    action_time timestamp with time zone NOT NULL,
    object_id text,
    object_repr character varying(200) NOT NULL,
    action_flag smallint NOT NULL,
    change_message text NOT NULL,
    content_type_id integer,
    user_id uuid NOT NULL,
    CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0))
);
ALTER TABLE django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME django_admin_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);
ALTER TABLE django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);
ALTER TABLE django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE django_q_ormq (
    id integer NOT NULL,
    key character varying(100) NOT NULL,
    payload text NOT NULL,
    lock timestamp with time zone
);
ALTER TABLE django_q_ormq ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME django_q_ormq_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE django_q_schedule (
    id integer NOT NULL,
    func character varying(256) NOT NULL,
    hook character varying(256),
    args text,
    kwargs text,
    schedule_type character varying(2) NOT NULL,
    repeats integer NOT NULL,
    next_run timestamp with time zone,
    task character varying(100),
    name character varying(100),
    minutes smallint,
    cron character varying(100),
    cluster character varying(100),
    intended_date_kwarg character varying(100),
    CONSTRAINT django_q_schedule_minutes_check CHECK ((minutes >= 0))
);
ALTER TABLE django_q_schedule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME django_q_schedule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE django_q_task (
    name character varying(100) NOT NULL,
    func character varying(256) NOT NULL,
    hook character varying(256),
    args text,
    kwargs text,
    result text,
    started timestamp with time zone NOT NULL,
    stopped timestamp with time zone NOT NULL,
    success boolean NOT NULL,
    id character varying(32) NOT NULL,
    "group" character varying(100),
    attempt_count integer NOT NULL,
    cluster character varying(100)
);
CREATE TABLE django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);
CREATE TABLE jobs_dayuse (
    id bigint NOT NULL,
    organization_id uuid NOT NULL,
    day date NOT NULL,
    n_bytes bigint NOT NULL,
    processor_ms bigint NOT NULL,
    turn_at timestamp with time zone
);
ALTER TABLE jobs_dayuse ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jobs_dayuse_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jobs_heartbeat (
    name character varying(20) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE jobs_job (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    task character varying(120) NOT NULL,
    subject_id uuid NOT NULL,
    requested_by_id uuid,
    state character varying(12) NOT NULL,
    stage character varying(40) NOT NULL,
    cursor integer NOT NULL,
    total integer NOT NULL,
    attempts smallint NOT NULL,
    reason character varying(40) NOT NULL,
    lease uuid,
    lease_until timestamp with time zone,
    cancel_requested_at timestamp with time zone,
    enqueued_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    request_id character varying(40) NOT NULL,
    waits smallint NOT NULL,
    lane character varying(6) NOT NULL,
    corpus_id uuid,
    CONSTRAINT job_lane_known CHECK (((lane)::text = ANY (ARRAY[('long'::character varying)::text, ('short'::character varying)::text, ('always'::character varying)::text, ('spare'::character varying)::text]))),
    CONSTRAINT job_state_known CHECK (((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('running'::character varying)::text, ('done'::character varying)::text, ('failed'::character varying)::text, ('cancelled'::character varying)::text]))),
    CONSTRAINT jobs_job_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT jobs_job_cursor_check CHECK ((cursor >= 0)),
    CONSTRAINT jobs_job_total_check CHECK ((total >= 0)),
    CONSTRAINT jobs_job_waits_check CHECK ((waits >= 0))
);
CREATE TABLE judging_adjudication (
    id bigint NOT NULL,
    criterion character varying(40) NOT NULL,
    answer smallint NOT NULL,
    value smallint NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    decided_by_id uuid,
    organization_id uuid NOT NULL,
    campaign_id uuid NOT NULL,
    item_id bigint NOT NULL,
    CONSTRAINT adjudication_on_a_scale CHECK (((value >= 1) AND (value <= 10))),
    CONSTRAINT judging_adjudication_answer_check CHECK ((answer >= 0))
);
ALTER TABLE ONLY judging_adjudication FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_adjudication ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_adjudication_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_assignment (
    id uuid NOT NULL,
    place integer NOT NULL,
    is_repeat boolean NOT NULL,
    state character varying(10) NOT NULL,
    answer_order jsonb NOT NULL,
    leased_until timestamp with time zone NOT NULL,
    submissions smallint NOT NULL,
    is_flagged boolean NOT NULL,
    note text NOT NULL,
    reference_note text NOT NULL,
    seconds double precision NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    organization_id uuid NOT NULL,
    campaign_id uuid NOT NULL,
    grader_id bigint NOT NULL,
    item_id bigint NOT NULL,
    CONSTRAINT assignment_state_known CHECK (((state)::text = ANY (ARRAY[('open'::character varying)::text, ('submitted'::character varying)::text, ('skipped'::character varying)::text]))),
    CONSTRAINT judging_assignment_place_check CHECK ((place >= 0)),
    CONSTRAINT judging_assignment_submissions_check CHECK ((submissions >= 0))
);
ALTER TABLE ONLY judging_assignment FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_campaign (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    name character varying(80) NOT NULL,
    form character varying(20) NOT NULL,
    rubric_version smallint NOT NULL,
    instructions text NOT NULL,
    seed integer NOT NULL,
    repeat_percent smallint NOT NULL,
    lease_minutes smallint NOT NULL,
    closed_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT judging_campaign_lease_minutes_check CHECK ((lease_minutes >= 0)),
    CONSTRAINT judging_campaign_repeat_percent_check CHECK ((repeat_percent >= 0)),
    CONSTRAINT judging_campaign_rubric_version_check CHECK ((rubric_version >= 0)),
    CONSTRAINT judging_campaign_seed_check CHECK ((seed >= 0))
);
ALTER TABLE ONLY judging_campaign FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_campaigngrade (
    id bigint NOT NULL,
    criterion character varying(40) NOT NULL,
    answer smallint NOT NULL,
    version smallint NOT NULL,
    value smallint,
    status character varying(14) NOT NULL,
    submission smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    assignment_id uuid NOT NULL,
    campaign_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT campaign_grade_on_a_scale CHECK (((value IS NULL) OR ((value >= 1) AND (value <= 10)))),
    CONSTRAINT campaign_grade_valued CHECK (((((status)::text = 'graded'::text) AND (value IS NOT NULL)) OR (((status)::text = 'cannot_judge'::text) AND (value IS NULL)))),
    CONSTRAINT judging_campaigngrade_answer_check CHECK ((answer >= 0)),
    CONSTRAINT judging_campaigngrade_submission_check CHECK ((submission >= 0)),
    CONSTRAINT judging_campaigngrade_version_check CHECK ((version >= 0))
);
ALTER TABLE ONLY judging_campaigngrade FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_campaigngrade ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_campaigngrade_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_campaigngrader (
    id bigint NOT NULL,
    name character varying(40) NOT NULL,
    campaign_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid
);
ALTER TABLE ONLY judging_campaigngrader FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_campaigngrader ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_campaigngrader_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_campaignitem (
    id bigint NOT NULL,
    ordinal integer NOT NULL,
    external_id character varying(200) NOT NULL,
    kind character varying(10) NOT NULL,
    question_type character varying(60) NOT NULL,
    content jsonb NOT NULL,
    sources jsonb NOT NULL,
    known jsonb NOT NULL,
    feedback text NOT NULL,
    needed smallint NOT NULL,
    campaign_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT campaign_item_kind_known CHECK (((kind)::text = ANY (ARRAY[('graded'::character varying)::text, ('training'::character varying)::text, ('check'::character varying)::text]))),
    CONSTRAINT judging_campaignitem_needed_check CHECK ((needed >= 0)),
    CONSTRAINT judging_campaignitem_ordinal_check CHECK ((ordinal >= 0))
);
ALTER TABLE ONLY judging_campaignitem FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_campaignitem ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_campaignitem_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_caseevaluation (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    pairs jsonb NOT NULL,
    n_done integer NOT NULL,
    questions jsonb NOT NULL,
    chosen jsonb NOT NULL,
    with_answers boolean NOT NULL,
    replies jsonb NOT NULL,
    report jsonb NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT judging_caseevaluation_n_done_check CHECK ((n_done >= 0))
);
ALTER TABLE ONLY judging_caseevaluation FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_experiment (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    name character varying(80) NOT NULL,
    settings jsonb NOT NULL,
    provenance jsonb NOT NULL,
    report jsonb NOT NULL,
    rerun character varying(8) NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    gold_set_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    previous_id uuid,
    CONSTRAINT experiment_rerun_known CHECK (((rerun)::text = ANY (ARRAY[(''::character varying)::text, ('daily'::character varying)::text, ('weekly'::character varying)::text])))
);
ALTER TABLE ONLY judging_experiment FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_experimentanswer (
    id uuid NOT NULL,
    cell character varying(200) NOT NULL,
    repeat smallint NOT NULL,
    fingerprint character varying(64) NOT NULL,
    reason character varying(300) NOT NULL,
    is_reused boolean NOT NULL,
    seconds double precision NOT NULL,
    tokens integer NOT NULL,
    cost numeric(14,8) NOT NULL,
    answer_id uuid,
    experiment_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    question_id uuid NOT NULL,
    CONSTRAINT judging_experimentanswer_repeat_check CHECK ((repeat >= 0)),
    CONSTRAINT judging_experimentanswer_tokens_check CHECK ((tokens >= 0))
);
ALTER TABLE ONLY judging_experimentanswer FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_experimentscore (
    id bigint NOT NULL,
    judge character varying(80) NOT NULL,
    measure character varying(80) NOT NULL,
    value double precision,
    status character varying(20) NOT NULL,
    reason character varying(300) NOT NULL,
    law jsonb NOT NULL,
    seconds double precision NOT NULL,
    tokens integer NOT NULL,
    cost numeric(14,8) NOT NULL,
    answer_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    experiment_id uuid NOT NULL,
    warning character varying(300) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT experiment_score_valued CHECK (((value IS NULL) OR ((status)::text = 'judged'::text))),
    CONSTRAINT judging_experimentscore_tokens_check CHECK ((tokens >= 0))
);
ALTER TABLE ONLY judging_experimentscore FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_experimentscore ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_experimentscore_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_feedbackreview (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    graded_at timestamp with time zone NOT NULL,
    outcome character varying(16) NOT NULL,
    note text NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    gold_question_id uuid,
    grade_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT feedback_outcome_known CHECK (((outcome)::text = ANY (ARRAY[('gold_question'::character varying)::text, ('reference'::character varying)::text, ('missing'::character varying)::text, ('no_change'::character varying)::text])))
);
ALTER TABLE ONLY judging_feedbackreview FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_goldedit (
    id bigint NOT NULL,
    version integer NOT NULL,
    document jsonb NOT NULL,
    changed character varying(30)[] NOT NULL,
    edited_at timestamp with time zone NOT NULL,
    edited_by_id uuid,
    organization_id uuid NOT NULL,
    question_id uuid NOT NULL,
    CONSTRAINT judging_goldedit_version_check CHECK ((version >= 0))
);
ALTER TABLE ONLY judging_goldedit FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_goldedit ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_goldedit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_goldgeneration (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    options jsonb NOT NULL,
    plan jsonb NOT NULL,
    n_done integer NOT NULL,
    report jsonb NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    gold_set_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT judging_goldgeneration_n_done_check CHECK ((n_done >= 0))
);
ALTER TABLE ONLY judging_goldgeneration FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_goldquestion (
    id uuid NOT NULL,
    ordinal integer NOT NULL,
    external_id character varying(200) NOT NULL,
    text text NOT NULL,
    reference_answer text NOT NULL,
    question_type character varying(60) NOT NULL,
    is_answerable boolean NOT NULL,
    history jsonb NOT NULL,
    organization_id uuid NOT NULL,
    gold_set_id uuid NOT NULL,
    double_of uuid,
    review character varying(8) NOT NULL,
    reviewed_at timestamp with time zone,
    reviewed_by_id uuid,
    similarity double precision,
    split character varying(11) NOT NULL,
    topic character varying(80) NOT NULL,
    version integer NOT NULL,
    written_by character varying(200) NOT NULL,
    CONSTRAINT gold_review_known CHECK (((review)::text = ANY (ARRAY[('draft'::character varying)::text, ('approved'::character varying)::text, ('rejected'::character varying)::text]))),
    CONSTRAINT gold_split_known CHECK (((split)::text = ANY (ARRAY[(''::character varying)::text, ('train'::character varying)::text, ('calibration'::character varying)::text, ('test'::character varying)::text]))),
    CONSTRAINT judging_goldquestion_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT judging_goldquestion_version_check CHECK ((version >= 0))
);
ALTER TABLE ONLY judging_goldquestion FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_goldreference (
    id bigint NOT NULL,
    start integer,
    "end" integer,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL,
    question_id uuid NOT NULL,
    CONSTRAINT gold_span_ordered CHECK (((("end" IS NULL) AND (start IS NULL)) OR (("end" IS NOT NULL) AND (start IS NOT NULL) AND (start < "end")))),
    CONSTRAINT judging_goldreference_end_check CHECK (("end" >= 0)),
    CONSTRAINT judging_goldreference_start_check CHECK ((start >= 0))
);
ALTER TABLE ONLY judging_goldreference FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_goldreference ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_goldreference_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_goldreport (
    id uuid NOT NULL,
    version integer NOT NULL,
    note text NOT NULL,
    state character varying(8) NOT NULL,
    reported_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    decision_note text NOT NULL,
    decided_by_id uuid,
    organization_id uuid NOT NULL,
    question_id uuid NOT NULL,
    reported_by_id uuid,
    CONSTRAINT gold_report_state_known CHECK (((state)::text = ANY (ARRAY[('open'::character varying)::text, ('accepted'::character varying)::text, ('declined'::character varying)::text]))),
    CONSTRAINT judging_goldreport_version_check CHECK ((version >= 0))
);
ALTER TABLE ONLY judging_goldreport FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_goldreview (
    id bigint NOT NULL,
    version integer NOT NULL,
    state character varying(8) NOT NULL,
    grades jsonb NOT NULL,
    note text NOT NULL,
    reviewed_at timestamp with time zone NOT NULL,
    organization_id uuid NOT NULL,
    question_id uuid NOT NULL,
    reviewer_id uuid,
    CONSTRAINT gold_review_state_known CHECK (((state)::text = ANY (ARRAY[('draft'::character varying)::text, ('approved'::character varying)::text, ('rejected'::character varying)::text]))),
    CONSTRAINT judging_goldreview_version_check CHECK ((version >= 0))
);
ALTER TABLE ONLY judging_goldreview FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_goldreview ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_goldreview_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_goldset (
    id uuid NOT NULL,
    name character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY judging_goldset FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_judge (
    id uuid NOT NULL,
    name character varying(60) NOT NULL,
    kind character varying(40) NOT NULL,
    settings jsonb NOT NULL,
    version character varying(64) NOT NULL,
    is_active boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY judging_judge FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_questiontype (
    id uuid NOT NULL,
    name character varying(60) NOT NULL,
    targets character varying(12)[] NOT NULL,
    tests character varying(200) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY judging_questiontype FORCE ROW LEVEL SECURITY;
CREATE TABLE judging_tunedsearch (
    id bigint NOT NULL,
    found jsonb NOT NULL,
    organization_id uuid NOT NULL,
    question_id uuid NOT NULL,
    run_id uuid NOT NULL
);
ALTER TABLE ONLY judging_tunedsearch FORCE ROW LEVEL SECURITY;
ALTER TABLE judging_tunedsearch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME judging_tunedsearch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE judging_tuningrun (
    id uuid NOT NULL,
    options jsonb NOT NULL,
    report jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    gold_set_id uuid NOT NULL,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY judging_tuningrun FORCE ROW LEVEL SECURITY;
CREATE TABLE llm_breakerstate (
    id uuid NOT NULL,
    provider character varying(36) NOT NULL,
    model character varying(100) NOT NULL,
    state jsonb NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY llm_breakerstate FORCE ROW LEVEL SECURITY;
CREATE TABLE llm_budgetwindow (
    id uuid NOT NULL,
    kind character varying(12) NOT NULL,
    starts date NOT NULL,
    spent bigint NOT NULL,
    reserved bigint NOT NULL,
    alerted_at timestamp with time zone,
    organization_id uuid NOT NULL,
    CONSTRAINT budget_window_kind_known CHECK (((kind)::text = ANY (ARRAY[('day'::character varying)::text, ('month'::character varying)::text, ('evaluation'::character varying)::text]))),
    CONSTRAINT budget_window_sane CHECK (((reserved >= 0) AND (spent >= 0)))
);
ALTER TABLE ONLY llm_budgetwindow FORCE ROW LEVEL SECURITY;
CREATE TABLE llm_gatewaysettings (
    id uuid NOT NULL,
    allows_fallback boolean NOT NULL,
    uses_operator boolean NOT NULL,
    cap_request bigint,
    cap_day bigint,
    cap_month bigint,
    cap_evaluation bigint,
    calls_per_minute integer,
    organization_id uuid NOT NULL,
    CONSTRAINT llm_gatewaysettings_calls_per_minute_check CHECK ((calls_per_minute >= 0))
);
ALTER TABLE ONLY llm_gatewaysettings FORCE ROW LEVEL SECURITY;
CREATE TABLE llm_llmcall (
    id uuid NOT NULL,
    asked_id uuid NOT NULL,
    role character varying(12) NOT NULL,
    provider_id uuid,
    provider character varying(60) NOT NULL,
    model character varying(100) NOT NULL,
    model_replied character varying(100) NOT NULL,
    prompt character varying(100) NOT NULL,
    prompt_hash character varying(64) NOT NULL,
    request_hash character varying(64) NOT NULL,
    outcome character varying(12) NOT NULL,
    reason character varying(200) NOT NULL,
    input_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    is_estimated boolean NOT NULL,
    reserved bigint NOT NULL,
    cost bigint NOT NULL,
    is_fallback boolean NOT NULL,
    is_repair boolean NOT NULL,
    is_evaluation boolean NOT NULL,
    blocks_dropped smallint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    milliseconds integer,
    organization_id uuid NOT NULL,
    user_id uuid,
    subject character varying(60) NOT NULL,
    CONSTRAINT llm_call_money_sane CHECK (((cost >= 0) AND (reserved >= 0))),
    CONSTRAINT llm_call_outcome CHECK (((outcome)::text = ANY (ARRAY[('open'::character varying)::text, ('ok'::character varying)::text, ('refused'::character varying)::text, ('truncated'::character varying)::text, ('filtered'::character varying)::text, ('invalid'::character varying)::text, ('overflow'::character varying)::text, ('quota'::character varying)::text, ('unavailable'::character varying)::text, ('cancelled'::character varying)::text]))),
    CONSTRAINT llm_call_role_known CHECK (((role)::text = ANY (ARRAY[('answer'::character varying)::text, ('rewrite'::character varying)::text, ('extract'::character varying)::text, ('judge'::character varying)::text, ('embed'::character varying)::text, ('moderate'::character varying)::text, ('rerank'::character varying)::text]))),
    CONSTRAINT llm_llmcall_blocks_dropped_check CHECK ((blocks_dropped >= 0)),
    CONSTRAINT llm_llmcall_input_tokens_check CHECK ((input_tokens >= 0)),
    CONSTRAINT llm_llmcall_milliseconds_check CHECK ((milliseconds >= 0)),
    CONSTRAINT llm_llmcall_output_tokens_check CHECK ((output_tokens >= 0))
);
ALTER TABLE ONLY llm_llmcall FORCE ROW LEVEL SECURITY;
CREATE TABLE llm_provider (
    id uuid NOT NULL,
    name character varying(60) NOT NULL,
    base_url character varying(300) NOT NULL,
    sealed_key text NOT NULL,
    key_last4 character varying(4) NOT NULL,
    key_changed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    is_local boolean NOT NULL
);
ALTER TABLE ONLY llm_provider FORCE ROW LEVEL SECURITY;
CREATE TABLE llm_rolemodel (
    id uuid NOT NULL,
    role character varying(12) NOT NULL,
    model character varying(100) NOT NULL,
    place smallint NOT NULL,
    price_in numeric(9,4) NOT NULL,
    price_out numeric(9,4) NOT NULL,
    context_tokens integer NOT NULL,
    organization_id uuid NOT NULL,
    provider_id uuid NOT NULL,
    between_s smallint,
    deadline_s smallint,
    evidence_tokens integer,
    first_token_s smallint,
    CONSTRAINT llm_rolemodel_between_s_check CHECK ((between_s >= 0)),
    CONSTRAINT llm_rolemodel_context_tokens_check CHECK ((context_tokens >= 0)),
    CONSTRAINT llm_rolemodel_deadline_s_check CHECK ((deadline_s >= 0)),
    CONSTRAINT llm_rolemodel_evidence_tokens_check CHECK ((evidence_tokens >= 0)),
    CONSTRAINT llm_rolemodel_first_token_s_check CHECK ((first_token_s >= 0)),
    CONSTRAINT llm_rolemodel_place_check CHECK ((place >= 0)),
    CONSTRAINT role_model_price_sane CHECK (((price_in >= (0)::numeric) AND (price_out >= (0)::numeric))),
    CONSTRAINT role_model_role_known CHECK (((role)::text = ANY (ARRAY[('answer'::character varying)::text, ('rewrite'::character varying)::text, ('extract'::character varying)::text, ('judge'::character varying)::text, ('embed'::character varying)::text, ('moderate'::character varying)::text, ('rerank'::character varying)::text])))
);
ALTER TABLE ONLY llm_rolemodel FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_askedparagraph (
    created_at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    basis character varying(64) NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL
);
ALTER TABLE ONLY retrieval_askedparagraph FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_askedparagraph ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_askedparagraph_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_caseentry (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    name character varying(300) NOT NULL,
    question text NOT NULL,
    support text NOT NULL,
    entities jsonb NOT NULL,
    answer text NOT NULL,
    origin character varying(8) NOT NULL,
    origin_id uuid,
    external_id character varying(200) NOT NULL,
    state character varying(8) NOT NULL,
    digest character varying(64) NOT NULL,
    reviewed_at timestamp with time zone,
    note text NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    reviewed_by_id uuid,
    entities_by character varying(8) NOT NULL,
    CONSTRAINT case_entities_by_known CHECK (((entities_by)::text = ANY (ARRAY[('rules'::character varying)::text, ('file'::character varying)::text, ('model'::character varying)::text]))),
    CONSTRAINT case_origin_known CHECK (((origin)::text = ANY (ARRAY[('import'::character varying)::text, ('gold'::character varying)::text, ('answer'::character varying)::text]))),
    CONSTRAINT case_state_known CHECK (((state)::text = ANY (ARRAY[('waiting'::character varying)::text, ('approved'::character varying)::text, ('rejected'::character varying)::text])))
);
ALTER TABLE ONLY retrieval_caseentry FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_caseindex (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    encoder character varying(80) NOT NULL,
    cue character varying(200) NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY retrieval_caseindex FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_casesupport (
    id bigint NOT NULL,
    start integer,
    "end" integer,
    is_confirmed boolean NOT NULL,
    case_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL,
    CONSTRAINT case_support_span_ordered CHECK (((("end" IS NULL) AND (start IS NULL)) OR (("end" IS NOT NULL) AND (start IS NOT NULL) AND (start < "end")))),
    CONSTRAINT retrieval_casesupport_end_check CHECK (("end" >= 0)),
    CONSTRAINT retrieval_casesupport_start_check CHECK ((start >= 0))
);
ALTER TABLE ONLY retrieval_casesupport FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_casesupport ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_casesupport_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_casevector (
    id bigint NOT NULL,
    part character varying(14) NOT NULL,
    text_hash character varying(64) NOT NULL,
    vector vector NOT NULL,
    case_id uuid NOT NULL,
    index_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT case_part_known CHECK (((part)::text = ANY (ARRAY[('question'::character varying)::text, ('question_inter'::character varying)::text, ('support'::character varying)::text, ('entities'::character varying)::text])))
);
ALTER TABLE ONLY retrieval_casevector FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_casevector ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_casevector_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_complexityactivation (
    id bigint NOT NULL,
    n_classes smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    classifier_id uuid,
    CONSTRAINT retrieval_complexityactivation_n_classes_check CHECK ((n_classes >= 0))
);
ALTER TABLE ONLY retrieval_complexityactivation FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_complexityactivation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_complexityactivation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_complexityclassifier (
    id uuid NOT NULL,
    number integer NOT NULL,
    kind character varying(20) NOT NULL,
    n_classes smallint NOT NULL,
    state character varying(12) NOT NULL,
    training jsonb NOT NULL,
    source character varying(120) NOT NULL,
    data jsonb NOT NULL,
    data_fingerprint character varying(64) NOT NULL,
    seed integer NOT NULL,
    report jsonb NOT NULL,
    artefact bytea,
    fingerprint character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT complexity_classes_known CHECK (((n_classes >= 2) AND (n_classes <= 5))),
    CONSTRAINT complexity_ready_whole CHECK ((((state)::text = 'building'::text) OR ((artefact IS NOT NULL) AND (finished_at IS NOT NULL) AND ((state)::text = 'ready'::text)))),
    CONSTRAINT retrieval_complexityclassifier_n_classes_check CHECK ((n_classes >= 0)),
    CONSTRAINT retrieval_complexityclassifier_number_check CHECK ((number >= 0))
);
ALTER TABLE ONLY retrieval_complexityclassifier FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_graph (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    uses_parser boolean NOT NULL,
    uses_model boolean NOT NULL,
    built_version bigint,
    built_at timestamp with time zone,
    n_refused integer NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    pairs_left smallint NOT NULL,
    CONSTRAINT retrieval_graph_built_version_check CHECK ((built_version >= 0)),
    CONSTRAINT retrieval_graph_n_refused_check CHECK ((n_refused >= 0)),
    CONSTRAINT retrieval_graph_pairs_left_check CHECK ((pairs_left >= 0))
);
ALTER TABLE ONLY retrieval_graph FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_graphdecision (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    kind character varying(8) NOT NULL,
    key character varying(300) NOT NULL,
    "into" character varying(300) NOT NULL,
    words character varying(600) NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT graph_decision_kind_known CHECK (((kind)::text = ANY (ARRAY[('merge'::character varying)::text, ('split'::character varying)::text, ('entity'::character varying)::text, ('triplet'::character varying)::text, ('proposed'::character varying)::text, ('declined'::character varying)::text, ('differs'::character varying)::text])))
);
ALTER TABLE ONLY retrieval_graphdecision FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_graphdocument (
    id bigint NOT NULL,
    version_id uuid,
    reader character varying(40) NOT NULL,
    digests jsonb NOT NULL,
    n_unread integer NOT NULL,
    corpus_id uuid NOT NULL,
    document_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT retrieval_graphdocument_n_unread_check CHECK ((n_unread >= 0))
);
ALTER TABLE ONLY retrieval_graphdocument FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graphdocument ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_graphdocument_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_graphentity (
    id uuid NOT NULL,
    kind character varying(8) NOT NULL,
    key character varying(300) NOT NULL,
    name character varying(300) NOT NULL,
    aliases character varying(300)[] NOT NULL,
    n_triplets integer NOT NULL,
    is_rejected boolean NOT NULL,
    corpus_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT graph_entity_kind_known CHECK (((kind)::text = ANY (ARRAY[('actor'::character varying)::text, ('term'::character varying)::text, ('section'::character varying)::text, ('value'::character varying)::text, ('thing'::character varying)::text]))),
    CONSTRAINT retrieval_graphentity_n_triplets_check CHECK ((n_triplets >= 0))
);
ALTER TABLE ONLY retrieval_graphentity FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_graphlink (
    id bigint NOT NULL,
    role character varying(8) NOT NULL,
    corpus_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    triplet_id uuid NOT NULL,
    CONSTRAINT graph_link_role_known CHECK (((role)::text = ANY (ARRAY[('subject'::character varying)::text, ('object'::character varying)::text, ('section'::character varying)::text, ('mention'::character varying)::text])))
);
ALTER TABLE ONLY retrieval_graphlink FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graphlink ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_graphlink_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_graphtriplet (
    id uuid NOT NULL,
    unit_id bigint NOT NULL,
    kind character varying(12) NOT NULL,
    subject text NOT NULL,
    predicate text NOT NULL,
    object text NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    section character varying(120) NOT NULL,
    stem text NOT NULL,
    by character varying(8) NOT NULL,
    fingerprint character varying(64) NOT NULL,
    is_rejected boolean NOT NULL,
    corpus_id uuid NOT NULL,
    document_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL,
    CONSTRAINT graph_kind_known CHECK (((kind)::text = ANY (ARRAY[('duty'::character varying)::text, ('requirement'::character varying)::text, ('permission'::character varying)::text, ('prohibition'::character varying)::text, ('definition'::character varying)::text, ('threshold'::character varying)::text, ('amount'::character varying)::text, ('deadline'::character varying)::text, ('condition'::character varying)::text, ('exception'::character varying)::text, ('reference'::character varying)::text, ('relation'::character varying)::text]))),
    CONSTRAINT graph_span_ordered CHECK ((start < "end")),
    CONSTRAINT retrieval_graphtriplet_end_check CHECK (("end" >= 0)),
    CONSTRAINT retrieval_graphtriplet_start_check CHECK ((start >= 0))
);
ALTER TABLE ONLY retrieval_graphtriplet FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_indexedquestion (
    created_at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    source character varying(9) NOT NULL,
    kind character varying(40) NOT NULL,
    text text NOT NULL,
    made_text text NOT NULL,
    key character varying(64) NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    state character varying(8) NOT NULL,
    author character varying(200) NOT NULL,
    encoder character varying(80) NOT NULL,
    vector vector,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL,
    CONSTRAINT question_source_known CHECK (((source)::text = ANY (ARRAY[('pair'::character varying)::text, ('provision'::character varying)::text, ('decision'::character varying)::text]))),
    CONSTRAINT question_span_ordered CHECK ((start < "end")),
    CONSTRAINT question_state_known CHECK (((state)::text = ANY (ARRAY[('indexed'::character varying)::text, ('rejected'::character varying)::text]))),
    CONSTRAINT retrieval_indexedquestion_end_check CHECK (("end" >= 0)),
    CONSTRAINT retrieval_indexedquestion_start_check CHECK ((start >= 0))
);
ALTER TABLE ONLY retrieval_indexedquestion FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_indexedquestion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_indexedquestion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_mappingversion (
    id uuid NOT NULL,
    n_classes smallint NOT NULL,
    number integer NOT NULL,
    mapping jsonb NOT NULL,
    is_active boolean NOT NULL,
    tuning_id uuid,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT retrieval_mappingversion_n_classes_check CHECK ((n_classes >= 0)),
    CONSTRAINT retrieval_mappingversion_number_check CHECK ((number >= 0))
);
ALTER TABLE ONLY retrieval_mappingversion FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_questionindex (
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    uses_model boolean NOT NULL,
    revision bigint NOT NULL,
    made jsonb NOT NULL,
    built_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT retrieval_questionindex_revision_check CHECK ((revision >= 0))
);
ALTER TABLE ONLY retrieval_questionindex FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_rankeractivation (
    id bigint NOT NULL,
    encoder character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    ranker_id uuid
);
ALTER TABLE ONLY retrieval_rankeractivation FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_rankeractivation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_rankeractivation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_relevantpassage (
    id bigint NOT NULL,
    query text NOT NULL,
    query_hash character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    marked_by_id uuid,
    organization_id uuid NOT NULL,
    paragraph_id bigint NOT NULL
);
ALTER TABLE ONLY retrieval_relevantpassage FORCE ROW LEVEL SECURITY;
ALTER TABLE retrieval_relevantpassage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME retrieval_relevantpassage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE retrieval_savedpreset (
    id uuid NOT NULL,
    name character varying(40) NOT NULL,
    base character varying(40) NOT NULL,
    overrides jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL
);
ALTER TABLE ONLY retrieval_savedpreset FORCE ROW LEVEL SECURITY;
CREATE TABLE retrieval_trainedranker (
    id uuid NOT NULL,
    number integer NOT NULL,
    state character varying(12) NOT NULL,
    encoder character varying(80) NOT NULL,
    training jsonb NOT NULL,
    source character varying(120) NOT NULL,
    report jsonb NOT NULL,
    model jsonb NOT NULL,
    fingerprint character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    corpus_id uuid NOT NULL,
    created_by_id uuid,
    organization_id uuid NOT NULL,
    CONSTRAINT ranker_ready_whole CHECK ((((state)::text = 'building'::text) OR ((finished_at IS NOT NULL) AND ((state)::text = 'ready'::text) AND (NOT ((fingerprint)::text = ''::text)) AND (NOT (model = '{}'::jsonb))))),
    CONSTRAINT retrieval_trainedranker_number_check CHECK ((number >= 0))
);
ALTER TABLE ONLY retrieval_trainedranker FORCE ROW LEVEL SECURITY;
CREATE TABLE webhooks_delivery (
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    kind character varying(40) NOT NULL,
    payload jsonb NOT NULL,
    state character varying(12) NOT NULL,
    attempts smallint NOT NULL,
    status smallint,
    reason character varying(200) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    tried_at timestamp with time zone,
    next_at timestamp with time zone,
    organization_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    CONSTRAINT delivery_kind_known CHECK (((kind)::text = ANY (ARRAY[('document.ready'::character varying)::text, ('document.failed'::character varying)::text, ('document.removed'::character varying)::text, ('corpus.indexed'::character varying)::text, ('experiment.ended'::character varying)::text, ('webhook.test'::character varying)::text]))),
    CONSTRAINT delivery_state_known CHECK (((state)::text = ANY (ARRAY[('waiting'::character varying)::text, ('delivered'::character varying)::text, ('dead'::character varying)::text]))),
    CONSTRAINT webhooks_delivery_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhooks_delivery_status_check CHECK ((status >= 0))
);
ALTER TABLE ONLY webhooks_delivery FORCE ROW LEVEL SECURITY;
CREATE TABLE webhooks_webhook (
    id uuid NOT NULL,
    url character varying(500) NOT NULL,
    events character varying(40)[] NOT NULL,
    secret text NOT NULL,
    old_secret text NOT NULL,
    old_secret_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    switched_off_at timestamp with time zone,
    switched_off_because character varying(200) NOT NULL,
    failures smallint NOT NULL,
    created_by_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT webhooks_webhook_failures_check CHECK ((failures >= 0))
);
ALTER TABLE ONLY webhooks_webhook FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_digest_key UNIQUE (digest);
ALTER TABLE ONLY accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_auditevent
    ADD CONSTRAINT accounts_auditevent_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY accounts_invitation
    ADD CONSTRAINT accounts_invitation_digest_key UNIQUE (digest);
ALTER TABLE ONLY accounts_invitation
    ADD CONSTRAINT accounts_invitation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_keptreply
    ADD CONSTRAINT accounts_keptreply_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY accounts_membership
    ADD CONSTRAINT accounts_membership_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY accounts_organization
    ADD CONSTRAINT accounts_organization_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_organization
    ADD CONSTRAINT accounts_organization_slug_key UNIQUE (slug);
ALTER TABLE ONLY accounts_recoverycode
    ADD CONSTRAINT accounts_recoverycode_digest_key UNIQUE (digest);
ALTER TABLE ONLY accounts_recoverycode
    ADD CONSTRAINT accounts_recoverycode_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_requestcount
    ADD CONSTRAINT accounts_requestcount_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY accounts_resetrequest
    ADD CONSTRAINT accounts_resetrequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_secondfactor
    ADD CONSTRAINT accounts_secondfactor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_secondfactor
    ADD CONSTRAINT accounts_secondfactor_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY accounts_session
    ADD CONSTRAINT accounts_session_pkey PRIMARY KEY (session_key);
ALTER TABLE ONLY accounts_signinlink
    ADD CONSTRAINT accounts_signinlink_digest_key UNIQUE (digest);
ALTER TABLE ONLY accounts_signinlink
    ADD CONSTRAINT accounts_signinlink_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_user
    ADD CONSTRAINT accounts_user_email_key UNIQUE (email);
ALTER TABLE ONLY accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_user_id_group_id_59c0b32f_uniq UNIQUE (user_id, group_id);
ALTER TABLE ONLY accounts_user
    ADD CONSTRAINT accounts_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_permi_user_id_permission_id_2ab516c2_uniq UNIQUE (user_id, permission_id);
ALTER TABLE ONLY accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY answering_answergrade
    ADD CONSTRAINT answer_grade_once UNIQUE (organization_id, answer_id, grader_id);
ALTER TABLE ONLY answering_answerstep
    ADD CONSTRAINT answer_step_once UNIQUE (organization_id, answer_id, ordinal);
ALTER TABLE ONLY answering_answer
    ADD CONSTRAINT answering_answer_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_answergrade
    ADD CONSTRAINT answering_answergrade_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_answerstep
    ADD CONSTRAINT answering_answerstep_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_citation
    ADD CONSTRAINT answering_citation_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_claim
    ADD CONSTRAINT answering_claim_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_clausequestion
    ADD CONSTRAINT answering_clausequestion_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_clausereview
    ADD CONSTRAINT answering_clausereview_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverdict_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_contradiction
    ADD CONSTRAINT answering_contradiction_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_conversationshare
    ADD CONSTRAINT answering_conversationshare_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_passagejudgment
    ADD CONSTRAINT answering_passagejudgment_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_question
    ADD CONSTRAINT answering_question_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_readeractivation
    ADD CONSTRAINT answering_readeractivation_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY answering_trainedreader
    ADD CONSTRAINT answering_trainedreader_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_askedparagraph
    ADD CONSTRAINT asked_paragraph_once UNIQUE (organization_id, corpus_id, paragraph_id);
ALTER TABLE ONLY accounts_auditevent
    ADD CONSTRAINT audit_sequence_once UNIQUE (organization_id, sequence);
ALTER TABLE ONLY auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE ONLY auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE ONLY auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE ONLY auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY axes_accessattempt
    ADD CONSTRAINT axes_accessattempt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY axes_accessattempt
    ADD CONSTRAINT axes_accessattempt_username_ip_address_user_agent_8ea22282_uniq UNIQUE (username, ip_address, user_agent);
ALTER TABLE ONLY axes_accessattemptexpiration
    ADD CONSTRAINT axes_accessattemptexpiration_pkey PRIMARY KEY (access_attempt_id);
ALTER TABLE ONLY axes_accessfailurelog
    ADD CONSTRAINT axes_accessfailurelog_pkey PRIMARY KEY (id);
ALTER TABLE ONLY axes_accesslog
    ADD CONSTRAINT axes_accesslog_pkey PRIMARY KEY (id);
ALTER TABLE ONLY llm_breakerstate
    ADD CONSTRAINT breaker_once UNIQUE (organization_id, provider, model);
ALTER TABLE ONLY llm_budgetwindow
    ADD CONSTRAINT budget_window_once UNIQUE (organization_id, kind, starts);
ALTER TABLE ONLY judging_assignment
    ADD CONSTRAINT campaign_assignment_once UNIQUE (organization_id, item_id, grader_id, is_repeat);
ALTER TABLE ONLY judging_campaigngrade
    ADD CONSTRAINT campaign_grade_once UNIQUE (organization_id, assignment_id, answer, criterion, version);
ALTER TABLE ONLY judging_campaigngrader
    ADD CONSTRAINT campaign_grader_name_once UNIQUE (organization_id, campaign_id, name);
ALTER TABLE ONLY judging_campaigngrader
    ADD CONSTRAINT campaign_grader_once UNIQUE (organization_id, campaign_id, user_id);
ALTER TABLE ONLY judging_campaignitem
    ADD CONSTRAINT campaign_item_once UNIQUE (organization_id, campaign_id, ordinal);
ALTER TABLE ONLY judging_campaign
    ADD CONSTRAINT campaign_name_once UNIQUE (organization_id, corpus_id, name);
ALTER TABLE ONLY judging_assignment
    ADD CONSTRAINT campaign_place_once UNIQUE (organization_id, grader_id, place);
ALTER TABLE ONLY retrieval_caseindex
    ADD CONSTRAINT case_index_once UNIQUE (organization_id, corpus_id, encoder);
ALTER TABLE ONLY retrieval_caseentry
    ADD CONSTRAINT case_once UNIQUE (organization_id, corpus_id, digest);
ALTER TABLE ONLY retrieval_casesupport
    ADD CONSTRAINT case_support_once UNIQUE (organization_id, case_id, paragraph_id);
ALTER TABLE ONLY retrieval_casevector
    ADD CONSTRAINT case_vector_once UNIQUE (organization_id, index_id, case_id, part);
ALTER TABLE ONLY corpora_chunkadvice
    ADD CONSTRAINT chunk_advice_once UNIQUE (organization_id, corpus_id, key);
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT chunk_once UNIQUE (organization_id, version_id, chunk_set_id, ordinal);
ALTER TABLE ONLY answering_citation
    ADD CONSTRAINT citation_once UNIQUE (organization_id, claim_id, rank);
ALTER TABLE ONLY answering_claim
    ADD CONSTRAINT claim_once UNIQUE (organization_id, answer_id, ordinal);
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT clause_verdict_once UNIQUE (organization_id, version_id, clause);
ALTER TABLE ONLY retrieval_complexityclassifier
    ADD CONSTRAINT complexity_number_once UNIQUE (organization_id, corpus_id, number);
ALTER TABLE ONLY answering_contradiction
    ADD CONSTRAINT contradiction_once UNIQUE (organization_id, corpus_id, paragraph_a_id, paragraph_b_id);
ALTER TABLE ONLY answering_conversationshare
    ADD CONSTRAINT conversation_shared_once UNIQUE (organization_id, question_id, member_id);
ALTER TABLE ONLY corpora_addedencoder
    ADD CONSTRAINT corpora_addedencoder_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT corpora_chunk_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_chunkadvice
    ADD CONSTRAINT corpora_chunkadvice_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_chunkset
    ADD CONSTRAINT corpora_chunkset_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_corpus
    ADD CONSTRAINT corpora_corpus_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_corpusmember
    ADD CONSTRAINT corpora_corpusmember_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_document
    ADD CONSTRAINT corpora_document_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_documentversion
    ADD CONSTRAINT corpora_documentversion_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_embedding
    ADD CONSTRAINT corpora_embedding_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_encoderactivation
    ADD CONSTRAINT corpora_encoderactivation_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_member
    ADD CONSTRAINT corpora_member_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_page
    ADD CONSTRAINT corpora_page_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_paragraph
    ADD CONSTRAINT corpora_paragraph_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_passagevector
    ADD CONSTRAINT corpora_passagevector_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_position
    ADD CONSTRAINT corpora_position_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_recognition
    ADD CONSTRAINT corpora_recognition_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_trainedencoder
    ADD CONSTRAINT corpora_trainedencoder_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_watchedfile
    ADD CONSTRAINT corpora_watchedfile_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_watchedfolder
    ADD CONSTRAINT corpora_watchedfolder_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY corpora_corpusmember
    ADD CONSTRAINT corpus_member_once UNIQUE (organization_id, corpus_id, user_id);
ALTER TABLE ONLY jobs_dayuse
    ADD CONSTRAINT day_use_once UNIQUE (organization_id, day);
ALTER TABLE ONLY webhooks_delivery
    ADD CONSTRAINT delivery_once UNIQUE (organization_id, webhook_id, event_id);
ALTER TABLE ONLY django_admin_log
    ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE ONLY django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE ONLY django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY django_q_ormq
    ADD CONSTRAINT django_q_ormq_pkey PRIMARY KEY (id);
ALTER TABLE ONLY django_q_schedule
    ADD CONSTRAINT django_q_schedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY django_q_task
    ADD CONSTRAINT django_q_task_pkey PRIMARY KEY (id);
ALTER TABLE ONLY django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);
ALTER TABLE ONLY corpora_document
    ADD CONSTRAINT document_name_once UNIQUE (organization_id, corpus_id, name);
ALTER TABLE ONLY corpora_embedding
    ADD CONSTRAINT embedding_once UNIQUE (organization_id, chunk_id, encoder, "window");
ALTER TABLE ONLY corpora_addedencoder
    ADD CONSTRAINT encoder_added_once UNIQUE (organization_id, corpus_id, name);
ALTER TABLE ONLY corpora_trainedencoder
    ADD CONSTRAINT encoder_number_once UNIQUE (organization_id, corpus_id, number);
ALTER TABLE ONLY judging_experimentanswer
    ADD CONSTRAINT experiment_answer_once UNIQUE (organization_id, experiment_id, question_id, cell, repeat);
ALTER TABLE ONLY judging_experimentscore
    ADD CONSTRAINT experiment_score_once UNIQUE (organization_id, answer_id, judge, measure);
ALTER TABLE ONLY judging_feedbackreview
    ADD CONSTRAINT feedback_review_once UNIQUE (organization_id, grade_id);
ALTER TABLE ONLY llm_gatewaysettings
    ADD CONSTRAINT gateway_settings_once UNIQUE (organization_id);
ALTER TABLE ONLY judging_goldedit
    ADD CONSTRAINT gold_edit_once UNIQUE (organization_id, question_id, version);
ALTER TABLE ONLY judging_goldquestion
    ADD CONSTRAINT gold_question_once UNIQUE (organization_id, gold_set_id, ordinal);
ALTER TABLE ONLY judging_goldset
    ADD CONSTRAINT gold_set_name_once UNIQUE (organization_id, corpus_id, name);
ALTER TABLE ONLY judging_goldreference
    ADD CONSTRAINT gold_span_once UNIQUE (organization_id, question_id, paragraph_id, start, "end");
ALTER TABLE ONLY retrieval_graphdocument
    ADD CONSTRAINT graph_document_once UNIQUE (organization_id, corpus_id, document_id);
ALTER TABLE ONLY retrieval_graphentity
    ADD CONSTRAINT graph_entity_once UNIQUE (organization_id, corpus_id, key);
ALTER TABLE ONLY retrieval_graphlink
    ADD CONSTRAINT graph_link_once UNIQUE (organization_id, triplet_id, entity_id, role);
ALTER TABLE ONLY retrieval_graph
    ADD CONSTRAINT graph_once UNIQUE (organization_id, corpus_id);
ALTER TABLE ONLY retrieval_graphtriplet
    ADD CONSTRAINT graph_triplet_once UNIQUE (organization_id, corpus_id, fingerprint);
ALTER TABLE ONLY jobs_dayuse
    ADD CONSTRAINT jobs_dayuse_pkey PRIMARY KEY (id);
ALTER TABLE ONLY jobs_heartbeat
    ADD CONSTRAINT jobs_heartbeat_pkey PRIMARY KEY (name);
ALTER TABLE ONLY jobs_job
    ADD CONSTRAINT jobs_job_pkey PRIMARY KEY (id);
ALTER TABLE ONLY judging_adjudication
    ADD CONSTRAINT judging_adjudication_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_assignment
    ADD CONSTRAINT judging_assignment_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_campaign
    ADD CONSTRAINT judging_campaign_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_campaigngrade
    ADD CONSTRAINT judging_campaigngrade_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_campaigngrader
    ADD CONSTRAINT judging_campaigngrader_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_campaignitem
    ADD CONSTRAINT judging_campaignitem_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_caseevaluation
    ADD CONSTRAINT judging_caseevaluation_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_experiment
    ADD CONSTRAINT judging_experiment_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_experimentanswer
    ADD CONSTRAINT judging_experimentanswer_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_experimentscore
    ADD CONSTRAINT judging_experimentscore_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_feedbackreview
    ADD CONSTRAINT judging_feedbackreview_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_goldedit
    ADD CONSTRAINT judging_goldedit_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_goldgeneration
    ADD CONSTRAINT judging_goldgeneration_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_goldquestion
    ADD CONSTRAINT judging_goldquestion_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_goldreference
    ADD CONSTRAINT judging_goldreference_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_goldreport
    ADD CONSTRAINT judging_goldreport_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_goldreview
    ADD CONSTRAINT judging_goldreview_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_goldset
    ADD CONSTRAINT judging_goldset_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_judge
    ADD CONSTRAINT judging_judge_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_questiontype
    ADD CONSTRAINT judging_questiontype_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_tunedsearch
    ADD CONSTRAINT judging_tunedsearch_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY judging_tuningrun
    ADD CONSTRAINT judging_tuningrun_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY accounts_keptreply
    ADD CONSTRAINT kept_reply_once UNIQUE (organization_id, user_id, endpoint, key);
ALTER TABLE ONLY llm_breakerstate
    ADD CONSTRAINT llm_breakerstate_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY llm_budgetwindow
    ADD CONSTRAINT llm_budgetwindow_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY llm_gatewaysettings
    ADD CONSTRAINT llm_gatewaysettings_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY llm_llmcall
    ADD CONSTRAINT llm_llmcall_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY llm_provider
    ADD CONSTRAINT llm_provider_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY llm_rolemodel
    ADD CONSTRAINT llm_rolemodel_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_mappingversion
    ADD CONSTRAINT mapping_number_once UNIQUE (organization_id, corpus_id, n_classes, number);
ALTER TABLE ONLY corpora_member
    ADD CONSTRAINT member_once UNIQUE (organization_id, version_id, ordinal);
ALTER TABLE ONLY accounts_membership
    ADD CONSTRAINT membership_once UNIQUE (organization_id, user_id);
ALTER TABLE ONLY corpora_page
    ADD CONSTRAINT page_once UNIQUE (organization_id, version_id, number);
ALTER TABLE ONLY corpora_paragraph
    ADD CONSTRAINT paragraph_public_id_once UNIQUE (organization_id, public_id);
ALTER TABLE ONLY answering_passagejudgment
    ADD CONSTRAINT passage_judgment_once UNIQUE (organization_id, grade_id, paragraph_id);
ALTER TABLE ONLY corpora_passagevector
    ADD CONSTRAINT passage_vector_once UNIQUE (organization_id, position_id);
ALTER TABLE ONLY corpora_position
    ADD CONSTRAINT position_of_paragraph_once UNIQUE (organization_id, version_id, paragraph_id);
ALTER TABLE ONLY corpora_position
    ADD CONSTRAINT position_once UNIQUE (organization_id, version_id, ordinal);
ALTER TABLE ONLY llm_provider
    ADD CONSTRAINT provider_once UNIQUE (organization_id, name);
ALTER TABLE ONLY retrieval_questionindex
    ADD CONSTRAINT question_index_once UNIQUE (organization_id, corpus_id);
ALTER TABLE ONLY retrieval_indexedquestion
    ADD CONSTRAINT question_once UNIQUE (organization_id, corpus_id, paragraph_id, key);
ALTER TABLE ONLY judging_questiontype
    ADD CONSTRAINT question_type_once UNIQUE (organization_id, name);
ALTER TABLE ONLY retrieval_trainedranker
    ADD CONSTRAINT ranker_number_once UNIQUE (organization_id, corpus_id, number);
ALTER TABLE ONLY answering_trainedreader
    ADD CONSTRAINT reader_number_once UNIQUE (organization_id, corpus_id, number);
ALTER TABLE ONLY corpora_recognition
    ADD CONSTRAINT recognition_once UNIQUE (organization_id, version_id, number);
ALTER TABLE ONLY retrieval_relevantpassage
    ADD CONSTRAINT relevant_passage_once UNIQUE (organization_id, corpus_id, query_hash, paragraph_id);
ALTER TABLE ONLY accounts_requestcount
    ADD CONSTRAINT request_count_once UNIQUE (organization_id, subject_id, kind);
ALTER TABLE ONLY retrieval_askedparagraph
    ADD CONSTRAINT retrieval_askedparagraph_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_caseentry
    ADD CONSTRAINT retrieval_caseentry_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_caseindex
    ADD CONSTRAINT retrieval_caseindex_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_casesupport
    ADD CONSTRAINT retrieval_casesupport_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_casevector
    ADD CONSTRAINT retrieval_casevector_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_complexityactivation
    ADD CONSTRAINT retrieval_complexityactivation_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_complexityclassifier
    ADD CONSTRAINT retrieval_complexityclassifier_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_graph
    ADD CONSTRAINT retrieval_graph_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_graphdecision
    ADD CONSTRAINT retrieval_graphdecision_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_graphdocument
    ADD CONSTRAINT retrieval_graphdocument_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_graphentity
    ADD CONSTRAINT retrieval_graphentity_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_graphlink
    ADD CONSTRAINT retrieval_graphlink_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_graphtriplet
    ADD CONSTRAINT retrieval_graphtriplet_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_indexedquestion
    ADD CONSTRAINT retrieval_indexedquestion_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_mappingversion
    ADD CONSTRAINT retrieval_mappingversion_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_questionindex
    ADD CONSTRAINT retrieval_questionindex_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_rankeractivation
    ADD CONSTRAINT retrieval_rankeractivation_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_relevantpassage
    ADD CONSTRAINT retrieval_relevantpassage_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_savedpreset
    ADD CONSTRAINT retrieval_savedpreset_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY retrieval_trainedranker
    ADD CONSTRAINT retrieval_trainedranker_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY llm_rolemodel
    ADD CONSTRAINT role_model_once UNIQUE (organization_id, role, provider_id, model);
ALTER TABLE ONLY retrieval_savedpreset
    ADD CONSTRAINT saved_preset_name_once UNIQUE (organization_id, corpus_id, name);
ALTER TABLE ONLY judging_tunedsearch
    ADD CONSTRAINT tuned_search_once UNIQUE (organization_id, run_id, question_id);
ALTER TABLE ONLY corpora_documentversion
    ADD CONSTRAINT version_number_once UNIQUE (organization_id, document_id, number);
ALTER TABLE ONLY corpora_watchedfile
    ADD CONSTRAINT watched_file_once UNIQUE (organization_id, folder_id, name);
ALTER TABLE ONLY corpora_watchedfolder
    ADD CONSTRAINT watched_folder_once UNIQUE (organization_id, corpus_id, is_by_command, path);
ALTER TABLE ONLY webhooks_webhook
    ADD CONSTRAINT webhook_once UNIQUE (organization_id, url);
ALTER TABLE ONLY webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY webhooks_webhook
    ADD CONSTRAINT webhooks_webhook_pkey PRIMARY KEY (organization_id, id);
CREATE INDEX accounts_apitoken_digest_63ccb187_like ON accounts_apitoken USING btree (digest varchar_pattern_ops);
CREATE INDEX accounts_apitoken_organization_id_bcea66d7 ON accounts_apitoken USING btree (organization_id);
CREATE INDEX accounts_apitoken_user_id_bbee13e0 ON accounts_apitoken USING btree (user_id);
CREATE INDEX accounts_invitation_digest_4d068cc1_like ON accounts_invitation USING btree (digest varchar_pattern_ops);
CREATE INDEX accounts_invitation_invited_by_id_94a21efc ON accounts_invitation USING btree (invited_by_id);
CREATE INDEX accounts_invitation_organization_id_2be75950 ON accounts_invitation USING btree (organization_id);
CREATE INDEX accounts_keptreply_user_id_bd7541d5 ON accounts_keptreply USING btree (user_id);
CREATE INDEX accounts_membership_user_id_487fb39e ON accounts_membership USING btree (user_id);
CREATE INDEX accounts_organization_slug_d6ef85ac_like ON accounts_organization USING btree (slug varchar_pattern_ops);
CREATE INDEX accounts_recoverycode_digest_5f337d9a_like ON accounts_recoverycode USING btree (digest varchar_pattern_ops);
CREATE INDEX accounts_recoverycode_user_id_994761d3 ON accounts_recoverycode USING btree (user_id);
CREATE INDEX accounts_session_expire_date_5bbfba7c ON accounts_session USING btree (expire_date);
CREATE INDEX accounts_session_session_key_b186966f_like ON accounts_session USING btree (session_key varchar_pattern_ops);
CREATE INDEX accounts_session_user_id_d5aaed01 ON accounts_session USING btree (user_id);
CREATE INDEX accounts_signinlink_digest_1d44a57a_like ON accounts_signinlink USING btree (digest varchar_pattern_ops);
CREATE INDEX accounts_signinlink_made_by_id_6ee1bca2 ON accounts_signinlink USING btree (made_by_id);
CREATE INDEX accounts_signinlink_user_id_a6b02f6b ON accounts_signinlink USING btree (user_id);
CREATE INDEX accounts_user_email_b2644a56_like ON accounts_user USING btree (email varchar_pattern_ops);
CREATE INDEX accounts_user_groups_group_id_bd11a704 ON accounts_user_groups USING btree (group_id);
CREATE INDEX accounts_user_groups_user_id_52b62117 ON accounts_user_groups USING btree (user_id);
CREATE INDEX accounts_user_user_permissions_permission_id_113bb443 ON accounts_user_user_permissions USING btree (permission_id);
CREATE INDEX accounts_user_user_permissions_user_id_e4f0a161 ON accounts_user_user_permissions USING btree (user_id);
CREATE INDEX adjudication_by_item ON judging_adjudication USING btree (organization_id, campaign_id, item_id);
CREATE INDEX answer_by_question ON answering_answer USING btree (organization_id, question_id);
CREATE INDEX answer_grade_by_corpus ON answering_answergrade USING btree (organization_id, corpus_id, changed_at);
CREATE INDEX answering_answer_question_id_006c4945 ON answering_answer USING btree (question_id);
CREATE INDEX answering_answergrade_grader_id_345410ef ON answering_answergrade USING btree (grader_id);
CREATE INDEX answering_citation_claim_id_5c5f4b80 ON answering_citation USING btree (claim_id);
CREATE INDEX answering_citation_paragraph_id_bf96f9c4 ON answering_citation USING btree (paragraph_id);
CREATE INDEX answering_citation_version_id_e6798b8d ON answering_citation USING btree (version_id);
CREATE INDEX answering_claim_answer_id_07313805 ON answering_claim USING btree (answer_id);
CREATE INDEX answering_clausequestion_created_by_id_ea84fb38 ON answering_clausequestion USING btree (created_by_id);
CREATE INDEX answering_clausereview_created_by_id_746c116e ON answering_clausereview USING btree (created_by_id);
CREATE INDEX answering_clauseverdict_created_by_id_b0f9f9cf ON answering_clauseverdict USING btree (created_by_id);
CREATE INDEX answering_clauseverdict_reviewed_by_id_ae527f30 ON answering_clauseverdict USING btree (reviewed_by_id);
CREATE INDEX answering_contradiction_reviewed_by_id_c478bbb2 ON answering_contradiction USING btree (reviewed_by_id);
CREATE INDEX answering_conversationshare_member_id_f5f91c07 ON answering_conversationshare USING btree (member_id);
CREATE INDEX answering_conversationshare_shared_by_id_b12d5560 ON answering_conversationshare USING btree (shared_by_id);
CREATE INDEX answering_question_asker_id_0d2ba639 ON answering_question USING btree (asker_id);
CREATE INDEX answering_question_corpus_id_0cac930e ON answering_question USING btree (corpus_id);
CREATE INDEX answering_question_follows_id_a49cd554 ON answering_question USING btree (follows_id);
CREATE INDEX answering_readeractivation_created_by_id_a49e06cf ON answering_readeractivation USING btree (created_by_id);
CREATE INDEX answering_trainedreader_created_by_id_7a445b17 ON answering_trainedreader USING btree (created_by_id);
CREATE INDEX assignment_by_campaign ON judging_assignment USING btree (organization_id, campaign_id, state);
CREATE INDEX audit_by_person ON accounts_auditevent USING btree (organization_id, actor_id, sequence DESC);
CREATE INDEX audit_by_time ON accounts_auditevent USING btree (organization_id, at DESC);
CREATE INDEX auth_group_name_a6ea08ec_like ON auth_group USING btree (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON auth_group_permissions USING btree (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON auth_group_permissions USING btree (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON auth_permission USING btree (content_type_id);
CREATE INDEX axes_accessattempt_ip_address_10922d9c ON axes_accessattempt USING btree (ip_address);
CREATE INDEX axes_accessattempt_user_agent_ad89678b ON axes_accessattempt USING btree (user_agent);
CREATE INDEX axes_accessattempt_user_agent_ad89678b_like ON axes_accessattempt USING btree (user_agent varchar_pattern_ops);
CREATE INDEX axes_accessattempt_username_3f2d4ca0 ON axes_accessattempt USING btree (username);
CREATE INDEX axes_accessattempt_username_3f2d4ca0_like ON axes_accessattempt USING btree (username varchar_pattern_ops);
CREATE INDEX axes_accessfailurelog_ip_address_2e9f5a7f ON axes_accessfailurelog USING btree (ip_address);
CREATE INDEX axes_accessfailurelog_user_agent_ea145dda ON axes_accessfailurelog USING btree (user_agent);
CREATE INDEX axes_accessfailurelog_user_agent_ea145dda_like ON axes_accessfailurelog USING btree (user_agent varchar_pattern_ops);
CREATE INDEX axes_accessfailurelog_username_a8b7e8a4 ON axes_accessfailurelog USING btree (username);
CREATE INDEX axes_accessfailurelog_username_a8b7e8a4_like ON axes_accessfailurelog USING btree (username varchar_pattern_ops);
CREATE INDEX axes_accesslog_ip_address_86b417e5 ON axes_accesslog USING btree (ip_address);
CREATE INDEX axes_accesslog_user_agent_0e659004 ON axes_accesslog USING btree (user_agent);
CREATE INDEX axes_accesslog_user_agent_0e659004_like ON axes_accesslog USING btree (user_agent varchar_pattern_ops);
CREATE INDEX axes_accesslog_username_df93064b ON axes_accesslog USING btree (username);
CREATE INDEX axes_accesslog_username_df93064b_like ON axes_accesslog USING btree (username varchar_pattern_ops);
CREATE INDEX campaign_grade_submitted ON judging_campaigngrade USING btree (organization_id, campaign_id, submission);
CREATE INDEX case_evaluation_by_time ON judging_caseevaluation USING btree (organization_id, corpus_id, created_at DESC);
CREATE INDEX chunk_by_parent ON corpora_chunk USING btree (organization_id, version_id, chunk_set_id, parent_ordinal) WHERE (parent_ordinal IS NOT NULL);
CREATE INDEX chunk_live ON corpora_chunk USING btree (organization_id, chunk_set_id, is_live);
CREATE UNIQUE INDEX chunk_set_building_once ON corpora_chunkset USING btree (organization_id, corpus_id) WHERE ((NOT is_kept) AND (NOT is_live) AND (retired_at IS NULL));
CREATE UNIQUE INDEX chunk_set_kept_once ON corpora_chunkset USING btree (organization_id, corpus_id, fingerprint, context) WHERE (is_kept AND (retired_at IS NULL));
CREATE UNIQUE INDEX chunk_set_live_once ON corpora_chunkset USING btree (organization_id, corpus_id) WHERE is_live;
CREATE INDEX clause_verdict_by_document ON answering_clauseverdict USING btree (organization_id, corpus_id, document_id);
CREATE INDEX complexity_in_use ON retrieval_complexityactivation USING btree (organization_id, corpus_id, n_classes, id DESC);
CREATE INDEX corpora_addedencoder_created_by_id_5548d4eb ON corpora_addedencoder USING btree (created_by_id);
CREATE INDEX corpora_chunk_chunk_set_id_05063aa5 ON corpora_chunk USING btree (chunk_set_id);
CREATE INDEX corpora_chunk_document_id_3e90040b ON corpora_chunk USING btree (document_id);
CREATE INDEX corpora_chunk_version_id_5e559d43 ON corpora_chunk USING btree (version_id);
CREATE INDEX corpora_chunkset_corpus_id_47c54f06 ON corpora_chunkset USING btree (corpus_id);
CREATE INDEX corpora_corpus_slug_0aace81a ON corpora_corpus USING btree (slug);
CREATE INDEX corpora_corpus_slug_0aace81a_like ON corpora_corpus USING btree (slug varchar_pattern_ops);
CREATE INDEX corpora_corpusmember_corpus_id_950a5af0 ON corpora_corpusmember USING btree (corpus_id);
CREATE INDEX corpora_corpusmember_user_id_4fb81781 ON corpora_corpusmember USING btree (user_id);
CREATE INDEX corpora_document_container_id_5ca276bf ON corpora_document USING btree (container_id);
CREATE INDEX corpora_document_corpus_id_7bb193a4 ON corpora_document USING btree (corpus_id);
CREATE INDEX corpora_document_current_id_cf183ff8 ON corpora_document USING btree (current_id);
CREATE INDEX corpora_documentversion_corpus_id_61ebb49c ON corpora_documentversion USING btree (corpus_id);
CREATE INDEX corpora_documentversion_document_id_1e09aee3 ON corpora_documentversion USING btree (document_id);
CREATE INDEX corpora_embedding_chunk_id_6c9215fb ON corpora_embedding USING btree (chunk_id);
CREATE INDEX corpora_encoderactivation_created_by_id_cdd35608 ON corpora_encoderactivation USING btree (created_by_id);
CREATE INDEX corpora_member_document_id_1eee495a ON corpora_member USING btree (document_id);
CREATE INDEX corpora_member_version_id_a086d261 ON corpora_member USING btree (version_id);
CREATE INDEX corpora_page_version_id_bac9379d ON corpora_page USING btree (version_id);
CREATE INDEX corpora_paragraph_document_id_1052ed35 ON corpora_paragraph USING btree (document_id);
CREATE INDEX corpora_position_paragraph_id_72a8748f ON corpora_position USING btree (paragraph_id);
CREATE INDEX corpora_position_version_id_623ad6a8 ON corpora_position USING btree (version_id);
CREATE INDEX corpora_recognition_version_id_d0e71ca2 ON corpora_recognition USING btree (version_id);
CREATE INDEX corpora_trainedencoder_created_by_id_70b3aaef ON corpora_trainedencoder USING btree (created_by_id);
CREATE INDEX corpora_watchedfile_document_id_8042b397 ON corpora_watchedfile USING btree (document_id);
CREATE INDEX corpora_watchedfile_folder_id_f607dd64 ON corpora_watchedfile USING btree (folder_id);
CREATE INDEX corpora_watchedfolder_corpus_id_d277df38 ON corpora_watchedfolder USING btree (corpus_id);
CREATE UNIQUE INDEX corpus_slug_once ON corpora_corpus USING btree (organization_id, slug) WHERE (NOT is_walled);
CREATE INDEX delivery_by_time ON webhooks_delivery USING btree (organization_id, webhook_id, created_at DESC);
CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON django_admin_log USING btree (content_type_id);
CREATE INDEX django_admin_log_user_id_c564eba6 ON django_admin_log USING btree (user_id);
CREATE INDEX django_q_task_id_32882367_like ON django_q_task USING btree (id varchar_pattern_ops);
CREATE INDEX django_session_expire_date_a5c62663 ON django_session USING btree (expire_date);
CREATE INDEX django_session_session_key_c0390e0f_like ON django_session USING btree (session_key varchar_pattern_ops);
CREATE INDEX embedding_by_text ON corpora_embedding USING btree (organization_id, encoder, text_hash);
CREATE INDEX embedding_live ON corpora_embedding USING btree (organization_id, corpus_id, encoder, is_live);
CREATE INDEX encoder_in_use ON corpora_encoderactivation USING btree (organization_id, corpus_id, switched_at DESC);
CREATE UNIQUE INDEX encoder_switch_once ON corpora_encoderactivation USING btree (organization_id, corpus_id) WHERE (switched_at IS NULL);
CREATE INDEX experiment_answer_same ON judging_experimentanswer USING btree (organization_id, fingerprint);
CREATE INDEX experiment_by_time ON judging_experiment USING btree (organization_id, corpus_id, created_at DESC);
CREATE INDEX experiment_score_by_measure ON judging_experimentscore USING btree (organization_id, experiment_id, judge, measure);
CREATE INDEX generation_by_time ON judging_goldgeneration USING btree (organization_id, gold_set_id, created_at DESC);
CREATE UNIQUE INDEX gold_paragraph_once ON judging_goldreference USING btree (organization_id, question_id, paragraph_id) WHERE (start IS NULL);
CREATE INDEX gold_report_by_time ON judging_goldreport USING btree (organization_id, question_id, reported_at DESC);
CREATE INDEX gold_review_by_time ON judging_goldreview USING btree (organization_id, question_id, reviewed_at DESC);
CREATE INDEX graph_by_kind ON retrieval_graphtriplet USING btree (organization_id, corpus_id, kind);
CREATE INDEX graph_by_unit ON retrieval_graphtriplet USING btree (organization_id, corpus_id, unit_id);
CREATE UNIQUE INDEX graph_decision_once ON retrieval_graphdecision USING btree (organization_id, corpus_id, kind, key) WHERE (NOT ((kind)::text = ANY (ARRAY[('proposed'::character varying)::text, ('declined'::character varying)::text, ('differs'::character varying)::text])));
CREATE UNIQUE INDEX graph_pair_once ON retrieval_graphdecision USING btree (organization_id, corpus_id, key, "into") WHERE ((kind)::text = ANY (ARRAY[('proposed'::character varying)::text, ('declined'::character varying)::text, ('differs'::character varying)::text]));
CREATE INDEX job_due ON jobs_job USING btree (state, lease_until);
CREATE INDEX job_of_corpus ON jobs_job USING btree (organization_id, corpus_id, created_at DESC);
CREATE UNIQUE INDEX job_open_once ON jobs_job USING btree (organization_id, task, subject_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('running'::character varying)::text]));
CREATE INDEX jobs_heartbeat_name_7d4519e6_like ON jobs_heartbeat USING btree (name varchar_pattern_ops);
CREATE UNIQUE INDEX judge_active_once ON judging_judge USING btree (organization_id, name) WHERE is_active;
CREATE INDEX judge_by_name ON judging_judge USING btree (organization_id, name, created_at DESC);
CREATE INDEX judging_adjudication_decided_by_id_a0eb1882 ON judging_adjudication USING btree (decided_by_id);
CREATE INDEX judging_campaign_created_by_id_df99a8e3 ON judging_campaign USING btree (created_by_id);
CREATE INDEX judging_campaigngrader_user_id_35480eee ON judging_campaigngrader USING btree (user_id);
CREATE INDEX judging_caseevaluation_created_by_id_9d405af9 ON judging_caseevaluation USING btree (created_by_id);
CREATE INDEX judging_experiment_created_by_id_5f8d725a ON judging_experiment USING btree (created_by_id);
CREATE INDEX judging_experiment_previous_id_a48a2148 ON judging_experiment USING btree (previous_id);
CREATE INDEX judging_experimentanswer_answer_id_6ddd2d5a ON judging_experimentanswer USING btree (answer_id);
CREATE INDEX judging_feedbackreview_created_by_id_4ec00172 ON judging_feedbackreview USING btree (created_by_id);
CREATE INDEX judging_feedbackreview_gold_question_id_7bc6bc1e ON judging_feedbackreview USING btree (gold_question_id);
CREATE INDEX judging_goldedit_edited_by_id_8b73f81c ON judging_goldedit USING btree (edited_by_id);
CREATE INDEX judging_goldgeneration_created_by_id_77085a2f ON judging_goldgeneration USING btree (created_by_id);
CREATE INDEX judging_goldquestion_reviewed_by_id_89d9806c ON judging_goldquestion USING btree (reviewed_by_id);
CREATE INDEX judging_goldreport_decided_by_id_103f5b45 ON judging_goldreport USING btree (decided_by_id);
CREATE INDEX judging_goldreport_reported_by_id_478b5518 ON judging_goldreport USING btree (reported_by_id);
CREATE INDEX judging_goldreview_reviewer_id_0c0d475a ON judging_goldreview USING btree (reviewer_id);
CREATE INDEX judging_goldset_created_by_id_95cc9644 ON judging_goldset USING btree (created_by_id);
CREATE INDEX judging_judge_created_by_id_dfb85b02 ON judging_judge USING btree (created_by_id);
CREATE INDEX judging_questiontype_created_by_id_1158cf0f ON judging_questiontype USING btree (created_by_id);
CREATE INDEX judging_tuningrun_created_by_id_e3b5225b ON judging_tuningrun USING btree (created_by_id);
CREATE INDEX kept_reply_by_age ON accounts_keptreply USING btree (organization_id, created_at);
CREATE INDEX llm_call_by_subject ON llm_llmcall USING btree (organization_id, subject) WHERE (NOT ((subject)::text = ''::text));
CREATE INDEX llm_call_by_time ON llm_llmcall USING btree (organization_id, started_at DESC);
CREATE INDEX llm_call_open ON llm_llmcall USING btree (organization_id, expires_at) WHERE ((outcome)::text = 'open'::text);
CREATE INDEX llm_llmcall_user_id_fffe0817 ON llm_llmcall USING btree (user_id);
CREATE INDEX llm_provider_created_by_id_69c479ef ON llm_provider USING btree (created_by_id);
CREATE UNIQUE INDEX mapping_active_once ON retrieval_mappingversion USING btree (organization_id, corpus_id, n_classes) WHERE is_active;
CREATE INDEX paragraph_by_document ON corpora_paragraph USING btree (organization_id, document_id);
CREATE INDEX passage_vector_by_text ON corpora_passagevector USING btree (organization_id, corpus_id, digest);
CREATE INDEX question_conversation ON answering_question USING btree (organization_id, conversation);
CREATE INDEX question_history ON answering_question USING btree (organization_id, asker_id, created_at DESC);
CREATE INDEX ranker_in_use ON retrieval_rankeractivation USING btree (organization_id, corpus_id, encoder, id DESC);
CREATE INDEX reader_in_use ON answering_readeractivation USING btree (organization_id, corpus_id, id DESC);
CREATE INDEX retrieval_askedparagraph_created_by_id_56f87135 ON retrieval_askedparagraph USING btree (created_by_id);
CREATE INDEX retrieval_askedparagraph_paragraph_id_d7b392dc ON retrieval_askedparagraph USING btree (paragraph_id);
CREATE INDEX retrieval_caseentry_created_by_id_27ceff4f ON retrieval_caseentry USING btree (created_by_id);
CREATE INDEX retrieval_caseentry_reviewed_by_id_6c2e3e62 ON retrieval_caseentry USING btree (reviewed_by_id);
CREATE INDEX retrieval_caseindex_created_by_id_27e7c687 ON retrieval_caseindex USING btree (created_by_id);
CREATE INDEX retrieval_casesupport_case_id_17c6b46c ON retrieval_casesupport USING btree (case_id);
CREATE INDEX retrieval_casesupport_paragraph_id_8dc625ad ON retrieval_casesupport USING btree (paragraph_id);
CREATE INDEX retrieval_casevector_case_id_9ded120c ON retrieval_casevector USING btree (case_id);
CREATE INDEX retrieval_casevector_index_id_f86ebee3 ON retrieval_casevector USING btree (index_id);
CREATE INDEX retrieval_complexityactivation_created_by_id_ba6bd6ab ON retrieval_complexityactivation USING btree (created_by_id);
CREATE INDEX retrieval_complexityclassifier_created_by_id_057ca0d2 ON retrieval_complexityclassifier USING btree (created_by_id);
CREATE INDEX retrieval_graph_created_by_id_788749bf ON retrieval_graph USING btree (created_by_id);
CREATE INDEX retrieval_graphdecision_created_by_id_28f59de0 ON retrieval_graphdecision USING btree (created_by_id);
CREATE INDEX retrieval_graphdocument_document_id_d83f607b ON retrieval_graphdocument USING btree (document_id);
CREATE INDEX retrieval_graphlink_entity_id_c0e6b6a9 ON retrieval_graphlink USING btree (entity_id);
CREATE INDEX retrieval_graphlink_triplet_id_3fcb2e02 ON retrieval_graphlink USING btree (triplet_id);
CREATE INDEX retrieval_graphtriplet_document_id_f22ccad4 ON retrieval_graphtriplet USING btree (document_id);
CREATE INDEX retrieval_graphtriplet_paragraph_id_2d6d2ca3 ON retrieval_graphtriplet USING btree (paragraph_id);
CREATE INDEX retrieval_indexedquestion_created_by_id_475cd377 ON retrieval_indexedquestion USING btree (created_by_id);
CREATE INDEX retrieval_indexedquestion_paragraph_id_f2c35d59 ON retrieval_indexedquestion USING btree (paragraph_id);
CREATE INDEX retrieval_mappingversion_created_by_id_6f3732f2 ON retrieval_mappingversion USING btree (created_by_id);
CREATE INDEX retrieval_questionindex_created_by_id_726eef7c ON retrieval_questionindex USING btree (created_by_id);
CREATE INDEX retrieval_rankeractivation_created_by_id_227966dc ON retrieval_rankeractivation USING btree (created_by_id);
CREATE INDEX retrieval_relevantpassage_marked_by_id_a7d21d52 ON retrieval_relevantpassage USING btree (marked_by_id);
CREATE INDEX retrieval_savedpreset_created_by_id_44af612c ON retrieval_savedpreset USING btree (created_by_id);
CREATE INDEX retrieval_trainedranker_created_by_id_3ce1f15b ON retrieval_trainedranker USING btree (created_by_id);
CREATE INDEX success_index ON django_q_task USING btree ("group", name, func) WHERE success;
CREATE INDEX tuning_by_time ON judging_tuningrun USING btree (organization_id, corpus_id, created_at DESC);
CREATE UNIQUE INDEX version_file_once ON corpora_documentversion USING btree (organization_id, corpus_id, sha256) WHERE (NOT ((state)::text = ANY (ARRAY[('refused'::character varying)::text, ('superseded'::character varying)::text])));
CREATE INDEX webhooks_webhook_created_by_id_c1e90fbe ON webhooks_webhook USING btree (created_by_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON accounts_auditevent FOR EACH ROW EXECUTE FUNCTION accounts_auditevent_append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON accounts_auditevent FOR EACH STATEMENT EXECUTE FUNCTION accounts_auditevent_append_only();
CREATE TRIGGER chain BEFORE INSERT ON accounts_auditevent FOR EACH ROW EXECUTE FUNCTION accounts_auditevent_chain();
ALTER TABLE ONLY accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_organization_id_bcea66d7_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_user_id_bbee13e0_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_auditevent
    ADD CONSTRAINT accounts_auditevent_organization_id_5fa8aa26_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_invitation
    ADD CONSTRAINT accounts_invitation_invited_by_id_94a21efc_fk_accounts_user_id FOREIGN KEY (invited_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_invitation
    ADD CONSTRAINT accounts_invitation_organization_id_2be75950_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_keptreply
    ADD CONSTRAINT accounts_keptreply_organization_id_8b076ecb_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_keptreply
    ADD CONSTRAINT accounts_keptreply_user_id_bd7541d5_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_membership
    ADD CONSTRAINT accounts_membership_organization_id_936776de_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_membership
    ADD CONSTRAINT accounts_membership_user_id_487fb39e_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_recoverycode
    ADD CONSTRAINT accounts_recoverycode_user_id_994761d3_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_requestcount
    ADD CONSTRAINT accounts_requestcoun_organization_id_f1257184_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_secondfactor
    ADD CONSTRAINT accounts_secondfactor_user_id_1e182b70_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_session
    ADD CONSTRAINT accounts_session_user_id_d5aaed01_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_signinlink
    ADD CONSTRAINT accounts_signinlink_made_by_id_6ee1bca2_fk_accounts_user_id FOREIGN KEY (made_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_signinlink
    ADD CONSTRAINT accounts_signinlink_user_id_a6b02f6b_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_group_id_bd11a704_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_user_id_52b62117_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_p_permission_id_113bb443_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_p_user_id_e4f0a161_fk_accounts_ FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answer
    ADD CONSTRAINT answering_answer_organization_id_360219db_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answer
    ADD CONSTRAINT answering_answer_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES answering_question(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answergrade
    ADD CONSTRAINT answering_answergrad_organization_id_108c233c_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answergrade
    ADD CONSTRAINT answering_answergrade_answer_id_same_organization FOREIGN KEY (organization_id, answer_id) REFERENCES answering_answer(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answergrade
    ADD CONSTRAINT answering_answergrade_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answergrade
    ADD CONSTRAINT answering_answergrade_grader_id_345410ef_fk_accounts_user_id FOREIGN KEY (grader_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answerstep
    ADD CONSTRAINT answering_answerstep_answer_id_same_organization FOREIGN KEY (organization_id, answer_id) REFERENCES answering_answer(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_answerstep
    ADD CONSTRAINT answering_answerstep_organization_id_5948ee25_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_citation
    ADD CONSTRAINT answering_citation_claim_id_same_organization FOREIGN KEY (organization_id, claim_id) REFERENCES answering_claim(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_citation
    ADD CONSTRAINT answering_citation_organization_id_44694f5d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_citation
    ADD CONSTRAINT answering_citation_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_citation
    ADD CONSTRAINT answering_citation_version_id_same_organization FOREIGN KEY (organization_id, version_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_claim
    ADD CONSTRAINT answering_claim_answer_id_same_organization FOREIGN KEY (organization_id, answer_id) REFERENCES answering_answer(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_claim
    ADD CONSTRAINT answering_claim_organization_id_fbfc54d5_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clausequestion
    ADD CONSTRAINT answering_clauseques_created_by_id_ea84fb38_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clausequestion
    ADD CONSTRAINT answering_clauseques_organization_id_37215b38_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clausereview
    ADD CONSTRAINT answering_clauserevi_created_by_id_746c116e_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clausereview
    ADD CONSTRAINT answering_clauserevi_organization_id_ebd6eee5_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clausereview
    ADD CONSTRAINT answering_clausereview_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverd_created_by_id_b0f9f9cf_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverd_organization_id_1395528b_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverd_reviewed_by_id_ae527f30_fk_accounts_ FOREIGN KEY (reviewed_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverdict_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverdict_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverdict_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_clauseverdict
    ADD CONSTRAINT answering_clauseverdict_version_id_same_organization FOREIGN KEY (organization_id, version_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_contradiction
    ADD CONSTRAINT answering_contradict_organization_id_fb645fea_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_contradiction
    ADD CONSTRAINT answering_contradict_reviewed_by_id_c478bbb2_fk_accounts_ FOREIGN KEY (reviewed_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_contradiction
    ADD CONSTRAINT answering_contradiction_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_contradiction
    ADD CONSTRAINT answering_contradiction_paragraph_a_id_same_organization FOREIGN KEY (organization_id, paragraph_a_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_contradiction
    ADD CONSTRAINT answering_contradiction_paragraph_b_id_same_organization FOREIGN KEY (organization_id, paragraph_b_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_conversationshare
    ADD CONSTRAINT answering_conversati_member_id_f5f91c07_fk_accounts_ FOREIGN KEY (member_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_conversationshare
    ADD CONSTRAINT answering_conversati_organization_id_517a7f52_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_conversationshare
    ADD CONSTRAINT answering_conversati_shared_by_id_b12d5560_fk_accounts_ FOREIGN KEY (shared_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_conversationshare
    ADD CONSTRAINT answering_conversationshare_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_conversationshare
    ADD CONSTRAINT answering_conversationshare_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES answering_question(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_passagejudgment
    ADD CONSTRAINT answering_passagejud_organization_id_6153683d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_passagejudgment
    ADD CONSTRAINT answering_passagejudgment_grade_id_same_organization FOREIGN KEY (organization_id, grade_id) REFERENCES answering_answergrade(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_passagejudgment
    ADD CONSTRAINT answering_passagejudgment_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_question
    ADD CONSTRAINT answering_question_asker_id_0d2ba639_fk_accounts_user_id FOREIGN KEY (asker_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_question
    ADD CONSTRAINT answering_question_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_question
    ADD CONSTRAINT answering_question_follows_id_same_organization FOREIGN KEY (organization_id, follows_id) REFERENCES answering_question(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_question
    ADD CONSTRAINT answering_question_organization_id_37a26f8d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_readeractivation
    ADD CONSTRAINT answering_readeracti_created_by_id_a49e06cf_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_readeractivation
    ADD CONSTRAINT answering_readeracti_organization_id_90909dbc_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_readeractivation
    ADD CONSTRAINT answering_readeractivation_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_readeractivation
    ADD CONSTRAINT answering_readeractivation_reader_id_same_organization FOREIGN KEY (organization_id, reader_id) REFERENCES answering_trainedreader(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_trainedreader
    ADD CONSTRAINT answering_trainedrea_created_by_id_7a445b17_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_trainedreader
    ADD CONSTRAINT answering_trainedrea_organization_id_19de3afc_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY answering_trainedreader
    ADD CONSTRAINT answering_trainedreader_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY axes_accessattemptexpiration
    ADD CONSTRAINT axes_accessattemptex_access_attempt_id_6b73a47a_fk_axes_acce FOREIGN KEY (access_attempt_id) REFERENCES axes_accessattempt(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_addedencoder
    ADD CONSTRAINT corpora_addedencoder_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_addedencoder
    ADD CONSTRAINT corpora_addedencoder_created_by_id_5548d4eb_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_addedencoder
    ADD CONSTRAINT corpora_addedencoder_organization_id_c17f84fa_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT corpora_chunk_chunk_set_id_same_organization FOREIGN KEY (organization_id, chunk_set_id) REFERENCES corpora_chunkset(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT corpora_chunk_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT corpora_chunk_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT corpora_chunk_organization_id_1ef7f331_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT corpora_chunk_parent_is_there FOREIGN KEY (organization_id, version_id, chunk_set_id, parent_ordinal) REFERENCES corpora_chunk(organization_id, version_id, chunk_set_id, ordinal) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunk
    ADD CONSTRAINT corpora_chunk_version_id_same_organization FOREIGN KEY (organization_id, version_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunkadvice
    ADD CONSTRAINT corpora_chunkadvice_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunkadvice
    ADD CONSTRAINT corpora_chunkadvice_organization_id_9cfc193a_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunkset
    ADD CONSTRAINT corpora_chunkset_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_chunkset
    ADD CONSTRAINT corpora_chunkset_organization_id_04c29900_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_corpus
    ADD CONSTRAINT corpora_corpus_organization_id_1bc4d648_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_corpusmember
    ADD CONSTRAINT corpora_corpusmember_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_corpusmember
    ADD CONSTRAINT corpora_corpusmember_is_a_member FOREIGN KEY (organization_id, user_id) REFERENCES accounts_membership(organization_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY corpora_corpusmember
    ADD CONSTRAINT corpora_corpusmember_organization_id_e0e6f5e2_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_corpusmember
    ADD CONSTRAINT corpora_corpusmember_user_id_4fb81781_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_document
    ADD CONSTRAINT corpora_document_container_id_same_organization FOREIGN KEY (organization_id, container_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_document
    ADD CONSTRAINT corpora_document_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_document
    ADD CONSTRAINT corpora_document_current_id_same_organization FOREIGN KEY (organization_id, current_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_document
    ADD CONSTRAINT corpora_document_organization_id_0c87cc0d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_documentversion
    ADD CONSTRAINT corpora_documentvers_organization_id_f772ed87_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_documentversion
    ADD CONSTRAINT corpora_documentversion_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_documentversion
    ADD CONSTRAINT corpora_documentversion_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_embedding
    ADD CONSTRAINT corpora_embedding_chunk_id_same_organization FOREIGN KEY (organization_id, chunk_id) REFERENCES corpora_chunk(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_embedding
    ADD CONSTRAINT corpora_embedding_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_embedding
    ADD CONSTRAINT corpora_embedding_organization_id_128dfc83_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_encoderactivation
    ADD CONSTRAINT corpora_encoderactiv_created_by_id_cdd35608_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_encoderactivation
    ADD CONSTRAINT corpora_encoderactiv_organization_id_a7061b0c_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_encoderactivation
    ADD CONSTRAINT corpora_encoderactivation_added_id_same_organization FOREIGN KEY (organization_id, added_id) REFERENCES corpora_addedencoder(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_encoderactivation
    ADD CONSTRAINT corpora_encoderactivation_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_encoderactivation
    ADD CONSTRAINT corpora_encoderactivation_encoder_id_same_organization FOREIGN KEY (organization_id, encoder_id) REFERENCES corpora_trainedencoder(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_member
    ADD CONSTRAINT corpora_member_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_member
    ADD CONSTRAINT corpora_member_organization_id_a5494ff3_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_member
    ADD CONSTRAINT corpora_member_version_id_same_organization FOREIGN KEY (organization_id, version_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_page
    ADD CONSTRAINT corpora_page_organization_id_9c095c0f_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_page
    ADD CONSTRAINT corpora_page_version_id_same_organization FOREIGN KEY (organization_id, version_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_paragraph
    ADD CONSTRAINT corpora_paragraph_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_paragraph
    ADD CONSTRAINT corpora_paragraph_organization_id_ca90fd03_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_passagevector
    ADD CONSTRAINT corpora_passagevecto_organization_id_6dd93f93_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_passagevector
    ADD CONSTRAINT corpora_passagevector_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_passagevector
    ADD CONSTRAINT corpora_passagevector_position_id_same_organization FOREIGN KEY (organization_id, position_id) REFERENCES corpora_position(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_position
    ADD CONSTRAINT corpora_position_organization_id_7b388a3e_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_position
    ADD CONSTRAINT corpora_position_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_position
    ADD CONSTRAINT corpora_position_version_id_same_organization FOREIGN KEY (organization_id, version_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_recognition
    ADD CONSTRAINT corpora_recognition_organization_id_0be3c61b_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_recognition
    ADD CONSTRAINT corpora_recognition_version_id_same_organization FOREIGN KEY (organization_id, version_id) REFERENCES corpora_documentversion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_trainedencoder
    ADD CONSTRAINT corpora_trainedencod_created_by_id_70b3aaef_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_trainedencoder
    ADD CONSTRAINT corpora_trainedencod_organization_id_2556dd56_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_trainedencoder
    ADD CONSTRAINT corpora_trainedencoder_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_watchedfile
    ADD CONSTRAINT corpora_watchedfile_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_watchedfile
    ADD CONSTRAINT corpora_watchedfile_folder_id_same_organization FOREIGN KEY (organization_id, folder_id) REFERENCES corpora_watchedfolder(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_watchedfile
    ADD CONSTRAINT corpora_watchedfile_organization_id_52e969ba_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_watchedfolder
    ADD CONSTRAINT corpora_watchedfolde_organization_id_18a749e2_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY corpora_watchedfolder
    ADD CONSTRAINT corpora_watchedfolder_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY django_admin_log
    ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY django_admin_log
    ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_adjudication
    ADD CONSTRAINT judging_adjudication_campaign_id_same_organization FOREIGN KEY (organization_id, campaign_id) REFERENCES judging_campaign(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_adjudication
    ADD CONSTRAINT judging_adjudication_decided_by_id_a0eb1882_fk_accounts_user_id FOREIGN KEY (decided_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_adjudication
    ADD CONSTRAINT judging_adjudication_item_id_same_organization FOREIGN KEY (organization_id, item_id) REFERENCES judging_campaignitem(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_adjudication
    ADD CONSTRAINT judging_adjudication_organization_id_147e9eab_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_assignment
    ADD CONSTRAINT judging_assignment_campaign_id_same_organization FOREIGN KEY (organization_id, campaign_id) REFERENCES judging_campaign(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_assignment
    ADD CONSTRAINT judging_assignment_grader_id_same_organization FOREIGN KEY (organization_id, grader_id) REFERENCES judging_campaigngrader(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_assignment
    ADD CONSTRAINT judging_assignment_item_id_same_organization FOREIGN KEY (organization_id, item_id) REFERENCES judging_campaignitem(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_assignment
    ADD CONSTRAINT judging_assignment_organization_id_34276a6d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaign
    ADD CONSTRAINT judging_campaign_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaign
    ADD CONSTRAINT judging_campaign_created_by_id_df99a8e3_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaign
    ADD CONSTRAINT judging_campaign_organization_id_bb70f3e1_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaigngrade
    ADD CONSTRAINT judging_campaigngrad_organization_id_85fa1461_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaigngrader
    ADD CONSTRAINT judging_campaigngrad_organization_id_88263b0d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaigngrade
    ADD CONSTRAINT judging_campaigngrade_assignment_id_same_organization FOREIGN KEY (organization_id, assignment_id) REFERENCES judging_assignment(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaigngrade
    ADD CONSTRAINT judging_campaigngrade_campaign_id_same_organization FOREIGN KEY (organization_id, campaign_id) REFERENCES judging_campaign(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaigngrader
    ADD CONSTRAINT judging_campaigngrader_campaign_id_same_organization FOREIGN KEY (organization_id, campaign_id) REFERENCES judging_campaign(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaigngrader
    ADD CONSTRAINT judging_campaigngrader_user_id_35480eee_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaignitem
    ADD CONSTRAINT judging_campaignitem_campaign_id_same_organization FOREIGN KEY (organization_id, campaign_id) REFERENCES judging_campaign(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_campaignitem
    ADD CONSTRAINT judging_campaignitem_organization_id_fdf0994e_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_caseevaluation
    ADD CONSTRAINT judging_caseevaluati_created_by_id_9d405af9_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_caseevaluation
    ADD CONSTRAINT judging_caseevaluati_organization_id_892bc68d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_caseevaluation
    ADD CONSTRAINT judging_caseevaluation_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experiment
    ADD CONSTRAINT judging_experiment_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experiment
    ADD CONSTRAINT judging_experiment_created_by_id_5f8d725a_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experiment
    ADD CONSTRAINT judging_experiment_gold_set_id_same_organization FOREIGN KEY (organization_id, gold_set_id) REFERENCES judging_goldset(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experiment
    ADD CONSTRAINT judging_experiment_organization_id_5aa32e9e_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experiment
    ADD CONSTRAINT judging_experiment_previous_id_same_organization FOREIGN KEY (organization_id, previous_id) REFERENCES judging_experiment(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experimentanswer
    ADD CONSTRAINT judging_experimentan_organization_id_07b4b9c6_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experimentanswer
    ADD CONSTRAINT judging_experimentanswer_answer_id_same_organization FOREIGN KEY (organization_id, answer_id) REFERENCES answering_answer(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experimentanswer
    ADD CONSTRAINT judging_experimentanswer_experiment_id_same_organization FOREIGN KEY (organization_id, experiment_id) REFERENCES judging_experiment(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experimentanswer
    ADD CONSTRAINT judging_experimentanswer_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES judging_goldquestion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experimentscore
    ADD CONSTRAINT judging_experimentsc_organization_id_68727f7b_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experimentscore
    ADD CONSTRAINT judging_experimentscore_answer_id_same_organization FOREIGN KEY (organization_id, answer_id) REFERENCES judging_experimentanswer(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_experimentscore
    ADD CONSTRAINT judging_experimentscore_experiment_id_same_organization FOREIGN KEY (organization_id, experiment_id) REFERENCES judging_experiment(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_feedbackreview
    ADD CONSTRAINT judging_feedbackrevi_created_by_id_4ec00172_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_feedbackreview
    ADD CONSTRAINT judging_feedbackrevi_organization_id_7bf3559e_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_feedbackreview
    ADD CONSTRAINT judging_feedbackreview_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_feedbackreview
    ADD CONSTRAINT judging_feedbackreview_gold_question_id_same_organization FOREIGN KEY (organization_id, gold_question_id) REFERENCES judging_goldquestion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_feedbackreview
    ADD CONSTRAINT judging_feedbackreview_grade_id_same_organization FOREIGN KEY (organization_id, grade_id) REFERENCES answering_answergrade(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldedit
    ADD CONSTRAINT judging_goldedit_edited_by_id_8b73f81c_fk_accounts_user_id FOREIGN KEY (edited_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldedit
    ADD CONSTRAINT judging_goldedit_organization_id_fab85b4e_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldedit
    ADD CONSTRAINT judging_goldedit_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES judging_goldquestion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldgeneration
    ADD CONSTRAINT judging_goldgenerati_created_by_id_77085a2f_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldgeneration
    ADD CONSTRAINT judging_goldgenerati_organization_id_39d48e79_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldgeneration
    ADD CONSTRAINT judging_goldgeneration_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldgeneration
    ADD CONSTRAINT judging_goldgeneration_gold_set_id_same_organization FOREIGN KEY (organization_id, gold_set_id) REFERENCES judging_goldset(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldquestion
    ADD CONSTRAINT judging_goldquestion_gold_set_id_same_organization FOREIGN KEY (organization_id, gold_set_id) REFERENCES judging_goldset(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldquestion
    ADD CONSTRAINT judging_goldquestion_organization_id_3c00f4b4_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldquestion
    ADD CONSTRAINT judging_goldquestion_reviewed_by_id_89d9806c_fk_accounts_ FOREIGN KEY (reviewed_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreference
    ADD CONSTRAINT judging_goldreferenc_organization_id_88f8e4d5_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreference
    ADD CONSTRAINT judging_goldreference_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreference
    ADD CONSTRAINT judging_goldreference_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES judging_goldquestion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreport
    ADD CONSTRAINT judging_goldreport_decided_by_id_103f5b45_fk_accounts_user_id FOREIGN KEY (decided_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreport
    ADD CONSTRAINT judging_goldreport_organization_id_fe98c289_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreport
    ADD CONSTRAINT judging_goldreport_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES judging_goldquestion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreport
    ADD CONSTRAINT judging_goldreport_reported_by_id_478b5518_fk_accounts_user_id FOREIGN KEY (reported_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreview
    ADD CONSTRAINT judging_goldreview_organization_id_e9540072_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreview
    ADD CONSTRAINT judging_goldreview_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES judging_goldquestion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldreview
    ADD CONSTRAINT judging_goldreview_reviewer_id_0c0d475a_fk_accounts_user_id FOREIGN KEY (reviewer_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldset
    ADD CONSTRAINT judging_goldset_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldset
    ADD CONSTRAINT judging_goldset_created_by_id_95cc9644_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_goldset
    ADD CONSTRAINT judging_goldset_organization_id_c5ba0916_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_judge
    ADD CONSTRAINT judging_judge_created_by_id_dfb85b02_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_judge
    ADD CONSTRAINT judging_judge_organization_id_aa5441f6_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_questiontype
    ADD CONSTRAINT judging_questiontype_created_by_id_1158cf0f_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_questiontype
    ADD CONSTRAINT judging_questiontype_organization_id_053f3a76_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_tunedsearch
    ADD CONSTRAINT judging_tunedsearch_organization_id_0091e707_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_tunedsearch
    ADD CONSTRAINT judging_tunedsearch_question_id_same_organization FOREIGN KEY (organization_id, question_id) REFERENCES judging_goldquestion(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_tunedsearch
    ADD CONSTRAINT judging_tunedsearch_run_id_same_organization FOREIGN KEY (organization_id, run_id) REFERENCES judging_tuningrun(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_tuningrun
    ADD CONSTRAINT judging_tuningrun_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_tuningrun
    ADD CONSTRAINT judging_tuningrun_created_by_id_e3b5225b_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_tuningrun
    ADD CONSTRAINT judging_tuningrun_gold_set_id_same_organization FOREIGN KEY (organization_id, gold_set_id) REFERENCES judging_goldset(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY judging_tuningrun
    ADD CONSTRAINT judging_tuningrun_organization_id_cf141132_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_breakerstate
    ADD CONSTRAINT llm_breakerstate_organization_id_e145c536_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_budgetwindow
    ADD CONSTRAINT llm_budgetwindow_organization_id_c4fbbee5_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_gatewaysettings
    ADD CONSTRAINT llm_gatewaysettings_organization_id_f38eb9d3_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_llmcall
    ADD CONSTRAINT llm_llmcall_organization_id_36d95042_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_llmcall
    ADD CONSTRAINT llm_llmcall_user_id_fffe0817_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_provider
    ADD CONSTRAINT llm_provider_created_by_id_69c479ef_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_provider
    ADD CONSTRAINT llm_provider_organization_id_60a4cc9b_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_rolemodel
    ADD CONSTRAINT llm_rolemodel_organization_id_bccc1841_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY llm_rolemodel
    ADD CONSTRAINT llm_rolemodel_provider_id_same_organization FOREIGN KEY (organization_id, provider_id) REFERENCES llm_provider(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_askedparagraph
    ADD CONSTRAINT retrieval_askedparag_created_by_id_56f87135_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_askedparagraph
    ADD CONSTRAINT retrieval_askedparag_organization_id_7c005210_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_askedparagraph
    ADD CONSTRAINT retrieval_askedparagraph_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_askedparagraph
    ADD CONSTRAINT retrieval_askedparagraph_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_caseentry
    ADD CONSTRAINT retrieval_caseentry_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_caseentry
    ADD CONSTRAINT retrieval_caseentry_created_by_id_27ceff4f_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_caseentry
    ADD CONSTRAINT retrieval_caseentry_organization_id_6dd568f6_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_caseentry
    ADD CONSTRAINT retrieval_caseentry_reviewed_by_id_6c2e3e62_fk_accounts_user_id FOREIGN KEY (reviewed_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_caseindex
    ADD CONSTRAINT retrieval_caseindex_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_caseindex
    ADD CONSTRAINT retrieval_caseindex_created_by_id_27e7c687_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_caseindex
    ADD CONSTRAINT retrieval_caseindex_organization_id_54dcd01e_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_casesupport
    ADD CONSTRAINT retrieval_casesuppor_organization_id_34d37723_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_casesupport
    ADD CONSTRAINT retrieval_casesupport_case_id_same_organization FOREIGN KEY (organization_id, case_id) REFERENCES retrieval_caseentry(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_casesupport
    ADD CONSTRAINT retrieval_casesupport_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_casevector
    ADD CONSTRAINT retrieval_casevector_case_id_same_organization FOREIGN KEY (organization_id, case_id) REFERENCES retrieval_caseentry(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_casevector
    ADD CONSTRAINT retrieval_casevector_index_id_same_organization FOREIGN KEY (organization_id, index_id) REFERENCES retrieval_caseindex(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_casevector
    ADD CONSTRAINT retrieval_casevector_organization_id_1c9879f5_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_complexityclassifier
    ADD CONSTRAINT retrieval_complexity_created_by_id_057ca0d2_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_complexityactivation
    ADD CONSTRAINT retrieval_complexity_created_by_id_ba6bd6ab_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_complexityactivation
    ADD CONSTRAINT retrieval_complexity_organization_id_139ec500_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_complexityclassifier
    ADD CONSTRAINT retrieval_complexity_organization_id_d06bded5_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_complexityactivation
    ADD CONSTRAINT retrieval_complexityactivation_classifier_id_same_organization FOREIGN KEY (organization_id, classifier_id) REFERENCES retrieval_complexityclassifier(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_complexityactivation
    ADD CONSTRAINT retrieval_complexityactivation_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_complexityclassifier
    ADD CONSTRAINT retrieval_complexityclassifier_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graph
    ADD CONSTRAINT retrieval_graph_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graph
    ADD CONSTRAINT retrieval_graph_created_by_id_788749bf_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graph
    ADD CONSTRAINT retrieval_graph_organization_id_370005ef_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphdecision
    ADD CONSTRAINT retrieval_graphdecis_created_by_id_28f59de0_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphdecision
    ADD CONSTRAINT retrieval_graphdecis_organization_id_3005f64f_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphdecision
    ADD CONSTRAINT retrieval_graphdecision_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphdocument
    ADD CONSTRAINT retrieval_graphdocum_organization_id_38ed4722_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphdocument
    ADD CONSTRAINT retrieval_graphdocument_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphdocument
    ADD CONSTRAINT retrieval_graphdocument_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphentity
    ADD CONSTRAINT retrieval_graphentit_organization_id_2731f4d7_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphentity
    ADD CONSTRAINT retrieval_graphentity_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphlink
    ADD CONSTRAINT retrieval_graphlink_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphlink
    ADD CONSTRAINT retrieval_graphlink_entity_id_same_organization FOREIGN KEY (organization_id, entity_id) REFERENCES retrieval_graphentity(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphlink
    ADD CONSTRAINT retrieval_graphlink_organization_id_38a0d3c6_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphlink
    ADD CONSTRAINT retrieval_graphlink_triplet_id_same_organization FOREIGN KEY (organization_id, triplet_id) REFERENCES retrieval_graphtriplet(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphtriplet
    ADD CONSTRAINT retrieval_graphtripl_organization_id_e7503f66_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphtriplet
    ADD CONSTRAINT retrieval_graphtriplet_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphtriplet
    ADD CONSTRAINT retrieval_graphtriplet_document_id_same_organization FOREIGN KEY (organization_id, document_id) REFERENCES corpora_document(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_graphtriplet
    ADD CONSTRAINT retrieval_graphtriplet_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_indexedquestion
    ADD CONSTRAINT retrieval_indexedque_created_by_id_475cd377_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_indexedquestion
    ADD CONSTRAINT retrieval_indexedque_organization_id_28378aad_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_indexedquestion
    ADD CONSTRAINT retrieval_indexedquestion_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_indexedquestion
    ADD CONSTRAINT retrieval_indexedquestion_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_mappingversion
    ADD CONSTRAINT retrieval_mappingver_created_by_id_6f3732f2_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_mappingversion
    ADD CONSTRAINT retrieval_mappingver_organization_id_594f49f7_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_mappingversion
    ADD CONSTRAINT retrieval_mappingversion_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_questionindex
    ADD CONSTRAINT retrieval_questionin_created_by_id_726eef7c_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_questionindex
    ADD CONSTRAINT retrieval_questionin_organization_id_0d5b3688_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_questionindex
    ADD CONSTRAINT retrieval_questionindex_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_rankeractivation
    ADD CONSTRAINT retrieval_rankeracti_created_by_id_227966dc_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_rankeractivation
    ADD CONSTRAINT retrieval_rankeracti_organization_id_1a071052_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_rankeractivation
    ADD CONSTRAINT retrieval_rankeractivation_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_rankeractivation
    ADD CONSTRAINT retrieval_rankeractivation_ranker_id_same_organization FOREIGN KEY (organization_id, ranker_id) REFERENCES retrieval_trainedranker(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_relevantpassage
    ADD CONSTRAINT retrieval_relevantpa_marked_by_id_a7d21d52_fk_accounts_ FOREIGN KEY (marked_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_relevantpassage
    ADD CONSTRAINT retrieval_relevantpa_organization_id_ad79c7b1_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_relevantpassage
    ADD CONSTRAINT retrieval_relevantpassage_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_relevantpassage
    ADD CONSTRAINT retrieval_relevantpassage_paragraph_id_same_organization FOREIGN KEY (organization_id, paragraph_id) REFERENCES corpora_paragraph(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_savedpreset
    ADD CONSTRAINT retrieval_savedprese_created_by_id_44af612c_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_savedpreset
    ADD CONSTRAINT retrieval_savedprese_organization_id_47764158_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_savedpreset
    ADD CONSTRAINT retrieval_savedpreset_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_trainedranker
    ADD CONSTRAINT retrieval_trainedran_created_by_id_3ce1f15b_fk_accounts_ FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_trainedranker
    ADD CONSTRAINT retrieval_trainedran_organization_id_fcf4031d_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY retrieval_trainedranker
    ADD CONSTRAINT retrieval_trainedranker_corpus_id_same_organization FOREIGN KEY (organization_id, corpus_id) REFERENCES corpora_corpus(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_organization_id_a565623c_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_webhook_id_same_organization FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks_webhook(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY webhooks_webhook
    ADD CONSTRAINT webhooks_webhook_created_by_id_c1e90fbe_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY webhooks_webhook
    ADD CONSTRAINT webhooks_webhook_organization_id_3f763687_fk_accounts_ FOREIGN KEY (organization_id) REFERENCES accounts_organization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE accounts_auditevent ENABLE ROW LEVEL SECURITY;
ALTER TABLE accounts_keptreply ENABLE ROW LEVEL SECURITY;
ALTER TABLE accounts_membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE accounts_requestcount ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_answer ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_answergrade ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_answerstep ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_citation ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_claim ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_clausequestion ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_clausereview ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_clauseverdict ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_contradiction ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_conversationshare ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_passagejudgment ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_question ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_readeractivation ENABLE ROW LEVEL SECURITY;
ALTER TABLE answering_trainedreader ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_addedencoder ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_chunk ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_chunkadvice ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_chunkset ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_corpus ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_corpusmember ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_document ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_documentversion ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_embedding ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_encoderactivation ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_page ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_paragraph ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_passagevector ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_recognition ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_trainedencoder ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_watchedfile ENABLE ROW LEVEL SECURITY;
ALTER TABLE corpora_watchedfolder ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_adjudication ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_assignment ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_campaign ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_campaigngrade ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_campaigngrader ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_campaignitem ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_caseevaluation ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_experiment ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_experimentanswer ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_experimentscore ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_feedbackreview ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_goldedit ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_goldgeneration ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_goldquestion ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_goldreference ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_goldreport ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_goldreview ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_goldset ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_judge ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_questiontype ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_tunedsearch ENABLE ROW LEVEL SECURITY;
ALTER TABLE judging_tuningrun ENABLE ROW LEVEL SECURITY;
ALTER TABLE llm_breakerstate ENABLE ROW LEVEL SECURITY;
ALTER TABLE llm_budgetwindow ENABLE ROW LEVEL SECURITY;
ALTER TABLE llm_gatewaysettings ENABLE ROW LEVEL SECURITY;
ALTER TABLE llm_llmcall ENABLE ROW LEVEL SECURITY;
ALTER TABLE llm_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE llm_rolemodel ENABLE ROW LEVEL SECURITY;
CREATE POLICY organization_isolation ON accounts_auditevent USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON accounts_keptreply USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND ((user_id = ( SELECT (NULLIF(NULLIF(current_setting('app.user_id'::text, true), ''::text), 'system'::text))::uuid AS "nullif")) OR ( SELECT (current_setting('app.user_id'::text, true) = 'system'::text))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND ((user_id = ( SELECT (NULLIF(NULLIF(current_setting('app.user_id'::text, true), ''::text), 'system'::text))::uuid AS "nullif")) OR ( SELECT (current_setting('app.user_id'::text, true) = 'system'::text)))));
CREATE POLICY organization_isolation ON accounts_membership USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON accounts_requestcount USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON answering_answer USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON answering_answergrade USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_answergrade.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_answergrade.corpus_id)))));
CREATE POLICY organization_isolation ON answering_answerstep USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON answering_citation USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON answering_claim USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON answering_clausequestion USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON answering_clausereview USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_clausereview.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_clausereview.corpus_id)))));
CREATE POLICY organization_isolation ON answering_clauseverdict USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_clauseverdict.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_clauseverdict.corpus_id)))));
CREATE POLICY organization_isolation ON answering_contradiction USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_contradiction.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_contradiction.corpus_id)))));
CREATE POLICY organization_isolation ON answering_conversationshare USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_conversationshare.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_conversationshare.corpus_id)))));
CREATE POLICY organization_isolation ON answering_passagejudgment USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM answering_answergrade g
  WHERE (g.id = answering_passagejudgment.grade_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM answering_answergrade g
  WHERE (g.id = answering_passagejudgment.grade_id)))));
CREATE POLICY organization_isolation ON answering_question USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON answering_readeractivation USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_readeractivation.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_readeractivation.corpus_id)))));
CREATE POLICY organization_isolation ON answering_trainedreader USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_trainedreader.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = answering_trainedreader.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_addedencoder USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_addedencoder.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_addedencoder.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_chunk USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_chunkadvice USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_chunkadvice.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_chunkadvice.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_chunkset USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_corpus USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND ((NOT is_walled) OR ( SELECT (current_setting('app.user_id'::text, true) = 'system'::text)) OR (EXISTS ( SELECT 1
   FROM corpora_corpusmember m
  WHERE ((m.corpus_id = corpora_corpus.id) AND (m.user_id = ( SELECT (NULLIF(NULLIF(current_setting('app.user_id'::text, true), ''::text), 'system'::text))::uuid AS "nullif")))))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND ((NOT is_walled) OR ( SELECT (current_setting('app.user_id'::text, true) = 'system'::text)) OR (EXISTS ( SELECT 1
   FROM corpora_corpusmember m
  WHERE ((m.corpus_id = corpora_corpus.id) AND (m.user_id = ( SELECT (NULLIF(NULLIF(current_setting('app.user_id'::text, true), ''::text), 'system'::text))::uuid AS "nullif"))))))));
CREATE POLICY organization_isolation ON corpora_corpusmember USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_document USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_document.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_document.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_documentversion USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_documentversion.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_documentversion.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_embedding USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_encoderactivation USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_encoderactivation.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_encoderactivation.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_member USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_page USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_paragraph USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_passagevector USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_passagevector.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_passagevector.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_position USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_recognition USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_trainedencoder USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_trainedencoder.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = corpora_trainedencoder.corpus_id)))));
CREATE POLICY organization_isolation ON corpora_watchedfile USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON corpora_watchedfolder USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_adjudication USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_adjudication.campaign_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_adjudication.campaign_id)))));
CREATE POLICY organization_isolation ON judging_assignment USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_assignment.campaign_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_assignment.campaign_id)))));
CREATE POLICY organization_isolation ON judging_campaign USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_campaign.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_campaign.corpus_id)))));
CREATE POLICY organization_isolation ON judging_campaigngrade USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_campaigngrade.campaign_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_campaigngrade.campaign_id)))));
CREATE POLICY organization_isolation ON judging_campaigngrader USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_campaigngrader.campaign_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_campaigngrader.campaign_id)))));
CREATE POLICY organization_isolation ON judging_campaignitem USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_campaignitem.campaign_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM judging_campaign c
  WHERE (c.id = judging_campaignitem.campaign_id)))));
CREATE POLICY organization_isolation ON judging_caseevaluation USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_caseevaluation.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_caseevaluation.corpus_id)))));
CREATE POLICY organization_isolation ON judging_experiment USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_experiment.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_experiment.corpus_id)))));
CREATE POLICY organization_isolation ON judging_experimentanswer USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_experimentscore USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_feedbackreview USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_feedbackreview.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_feedbackreview.corpus_id)))));
CREATE POLICY organization_isolation ON judging_goldedit USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_goldgeneration USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_goldgeneration.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_goldgeneration.corpus_id)))));
CREATE POLICY organization_isolation ON judging_goldquestion USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_goldreference USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_goldreport USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_goldreview USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_goldset USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_goldset.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_goldset.corpus_id)))));
CREATE POLICY organization_isolation ON judging_judge USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_questiontype USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_tunedsearch USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON judging_tuningrun USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_tuningrun.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = judging_tuningrun.corpus_id)))));
CREATE POLICY organization_isolation ON llm_breakerstate USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON llm_budgetwindow USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON llm_gatewaysettings USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON llm_llmcall USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON llm_provider USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON llm_rolemodel USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON retrieval_askedparagraph USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_askedparagraph.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_askedparagraph.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_caseentry USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_caseentry.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_caseentry.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_caseindex USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_caseindex.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_caseindex.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_casesupport USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON retrieval_casevector USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON retrieval_complexityactivation USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON retrieval_complexityclassifier USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON retrieval_graph USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graph.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graph.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_graphdecision USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphdecision.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphdecision.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_graphdocument USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphdocument.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphdocument.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_graphentity USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphentity.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphentity.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_graphlink USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphlink.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphlink.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_graphtriplet USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphtriplet.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_graphtriplet.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_indexedquestion USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_indexedquestion.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_indexedquestion.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_mappingversion USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_mappingversion.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_mappingversion.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_questionindex USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_questionindex.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_questionindex.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_rankeractivation USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_rankeractivation.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_rankeractivation.corpus_id)))));
CREATE POLICY organization_isolation ON retrieval_relevantpassage USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON retrieval_savedpreset USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON retrieval_trainedranker USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_trainedranker.corpus_id))))) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND (EXISTS ( SELECT 1
   FROM corpora_corpus c
  WHERE (c.id = retrieval_trainedranker.corpus_id)))));
CREATE POLICY organization_isolation ON webhooks_delivery USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY organization_isolation ON webhooks_webhook USING (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true)) WITH CHECK (((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true));
CREATE POLICY readable ON accounts_membership FOR SELECT USING ((((organization_id = ( SELECT (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid AS "nullif")) AND true) OR (user_id = ( SELECT (NULLIF(NULLIF(current_setting('app.user_id'::text, true), ''::text), 'system'::text))::uuid AS "nullif"))));
ALTER TABLE retrieval_askedparagraph ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_caseentry ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_caseindex ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_casesupport ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_casevector ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_complexityactivation ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_complexityclassifier ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graph ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graphdecision ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graphdocument ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graphentity ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graphlink ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_graphtriplet ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_indexedquestion ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_mappingversion ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_questionindex ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_rankeractivation ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_relevantpassage ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_savedpreset ENABLE ROW LEVEL SECURITY;
ALTER TABLE retrieval_trainedranker ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks_delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks_webhook ENABLE ROW LEVEL SECURITY;
INSERT INTO django_migrations (app, name, applied) VALUES
    ('accounts', '0001_initial', now()),
    ('accounts', '0002_isolation', now()),
    ('accounts', '0003_second_factor_sessions_chain', now()),
    ('accounts', '0004_scopes_replies_rates', now()),
    ('accounts', '0005_proved_addresses_session_digests', now()),
    ('accounts', '0006_function_search_path', now()),
    ('accounts', '0007_organization_keys', now()),
    ('accounts', '0008_choices_known', now()),
    ('admin', '0001_initial', now()),
    ('admin', '0002_logentry_remove_auto_add', now()),
    ('admin', '0003_logentry_add_action_flag_choices', now()),
    ('answering', '0001_initial', now()),
    ('answering', '0002_initial', now()),
    ('answering', '0003_isolation', now()),
    ('answering', '0004_written', now()),
    ('answering', '0005_grades', now()),
    ('answering', '0006_steps', now()),
    ('answering', '0007_composition', now()),
    ('answering', '0008_conversations', now()),
    ('answering', '0009_contradictions', now()),
    ('answering', '0010_grade_correction', now()),
    ('answering', '0011_clauses', now()),
    ('answering', '0012_trained_readers', now()),
    ('answering', '0013_rows_known', now()),
    ('answering', '0014_judgment_renamed', now()),
    ('answering', '0015_choices_known', now()),
    ('auth', '0001_initial', now()),
    ('auth', '0002_alter_permission_name_max_length', now()),
    ('auth', '0003_alter_user_email_max_length', now()),
    ('auth', '0004_alter_user_username_opts', now()),
    ('auth', '0005_alter_user_last_login_null', now()),
    ('auth', '0006_require_contenttypes_0002', now()),
    ('auth', '0007_alter_validators_add_error_messages', now()),
    ('auth', '0008_alter_user_username_max_length', now()),
    ('auth', '0009_alter_user_last_name_max_length', now()),
    ('auth', '0010_alter_group_name_max_length', now()),
    ('auth', '0011_update_proxy_permissions', now()),
    ('auth', '0012_alter_user_first_name_max_length', now()),
    ('axes', '0001_initial', now()),
    ('axes', '0002_auto_20151217_2044', now()),
    ('axes', '0003_auto_20160322_0929', now()),
    ('axes', '0004_auto_20181024_1538', now()),
    ('axes', '0005_remove_accessattempt_trusted', now()),
    ('axes', '0006_remove_accesslog_trusted', now()),
    ('axes', '0007_alter_accessattempt_unique_together', now()),
    ('axes', '0008_accessfailurelog', now()),
    ('axes', '0009_add_session_hash', now()),
    ('axes', '0010_accessattemptexpiration', now()),
    ('contenttypes', '0001_initial', now()),
    ('contenttypes', '0002_remove_content_type_name', now()),
    ('corpora', '0001_initial', now()),
    ('corpora', '0002_isolation', now()),
    ('corpora', '0003_recognition_members', now()),
    ('corpora', '0004_chunk_sets', now()),
    ('corpora', '0005_watched_folders', now()),
    ('corpora', '0006_trained_encoders', now()),
    ('corpora', '0007_titles_and_removal', now()),
    ('corpora', '0008_operators_names', now()),
    ('corpora', '0009_roles_of_paragraphs', now()),
    ('corpora', '0010_document_fields', now()),
    ('corpora', '0011_answer_threshold', now()),
    ('corpora', '0012_indexes', now()),
    ('corpora', '0013_chunk_contexts', now()),
    ('corpora', '0014_passage_vectors', now()),
    ('corpora', '0015_passage_vectors_again', now()),
    ('corpora', '0016_watched_state_known', now()),
    ('corpora', '0017_roles_by_newer_rules', now()),
    ('corpora', '0018_rows_known', now()),
    ('corpora', '0019_choices_known', now()),
    ('django_q', '0001_initial', now()),
    ('django_q', '0002_auto_20150630_1624', now()),
    ('django_q', '0003_auto_20150708_1326', now()),
    ('django_q', '0004_auto_20150710_1043', now()),
    ('django_q', '0005_auto_20150718_1506', now()),
    ('django_q', '0006_auto_20150805_1817', now()),
    ('django_q', '0007_ormq', now()),
    ('django_q', '0008_auto_20160224_1026', now()),
    ('django_q', '0009_auto_20171009_0915', now()),
    ('django_q', '0010_auto_20200610_0856', now()),
    ('django_q', '0011_auto_20200628_1055', now()),
    ('django_q', '0012_auto_20200702_1608', now()),
    ('django_q', '0013_task_attempt_count', now()),
    ('django_q', '0014_schedule_cluster', now()),
    ('django_q', '0015_alter_schedule_schedule_type', now()),
    ('django_q', '0016_schedule_intended_date_kwarg', now()),
    ('django_q', '0017_task_cluster_alter', now()),
    ('django_q', '0018_task_success_index', now()),
    ('django_q', '0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more', now()),
    ('jobs', '0001_initial', now()),
    ('jobs', '0002_request_waits_heartbeat', now()),
    ('jobs', '0003_day_use_lanes', now()),
    ('jobs', '0004_training_tasks', now()),
    ('jobs', '0005_job_of_corpus', now()),
    ('jobs', '0006_spare_lane', now()),
    ('jobs', '0007_enqueued_at', now()),
    ('jobs', '0008_choices_known', now()),
    ('jobs', '0009_judging_tasks', now()),
    ('judging', '0001_gold_sets', now()),
    ('judging', '0002_jobs_name_their_corpus', now()),
    ('judging', '0003_judges', now()),
    ('judging', '0004_experiments', now()),
    ('judging', '0005_campaigns', now()),
    ('judging', '0006_gold_reviews', now()),
    ('judging', '0007_feedback', now()),
    ('judging', '0008_scores_by_experiment', now()),
    ('judging', '0009_experiment_score_valued', now()),
    ('judging', '0010_case_evaluations', now()),
    ('judging', '0011_rows_known', now()),
    ('judging', '0012_score_warnings', now()),
    ('llm', '0001_initial', now()),
    ('llm', '0002_breaker_state', now()),
    ('llm', '0003_limits', now()),
    ('llm', '0004_operators_names', now()),
    ('llm', '0005_subjects', now()),
    ('llm', '0006_roles', now()),
    ('llm', '0007_choices_known', now()),
    ('retrieval', '0001_search_lab', now()),
    ('retrieval', '0002_complexity', now()),
    ('retrieval', '0003_parameter_mapping', now()),
    ('retrieval', '0004_trained_rankers', now()),
    ('retrieval', '0005_cases', now()),
    ('retrieval', '0006_question_index', now()),
    ('retrieval', '0007_graph', now()),
    ('retrieval', '0008_entities_by', now()),
    ('retrieval', '0009_graph_pairs', now()),
    ('retrieval', '0010_rows_known', now()),
    ('retrieval', '0011_choices_known', now()),
    ('retrieval', '0012_questions_with_cue', now()),
    ('sessions', '0001_initial', now()),
    ('webhooks', '0001_initial', now()),
    ('webhooks', '0002_index_rebuilt_label', now()),
    ('webhooks', '0003_experiment_ended', now()),
    ('webhooks', '0004_choices_known', now());
