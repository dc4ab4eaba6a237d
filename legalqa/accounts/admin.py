"""Operators' pages about people and organisations."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse

from legalqa.accounts import services
from legalqa.accounts.forms.accounts import name_check
from legalqa.accounts.models import ApiToken, AuditEvent, Invitation, Membership, Organization, Role, SignInLink, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import member_list
from legalqa.admin_site import entered, operator_of
from legalqa.common.admin import ReadOnlyAdmin
from legalqa.common.errors import Conflict


class OrganizationForm(forms.ModelForm[Organization]):
    owner_email = forms.EmailField(
        label="Invite an owner",
        max_length=254,
        help_text="The e-mail address of its first owner. The link is shown once, after saving.",
    )

    class Meta:
        model = Organization
        fields = ("name", "slug")

    def clean_name(self) -> str:
        name_check(name := str(self.cleaned_data["name"]))
        return name

    is_entered = False  # whether the operator has entered the organisation; set by `get_form`

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner_email"].required = self.instance._state.adding

    def clean_owner_email(self) -> str:
        """An owner of an existing organisation is invited only with a reason in its audit log."""
        email = str(self.cleaned_data["owner_email"]).lower()
        if email and not self.instance._state.adding:
            if not self.is_entered:
                raise forms.ValidationError(
                    "Enter this organisation first, with a reason: its audit log records why an owner was invited."
                )
            with organization_scope(self.instance, user=None):
                if member_list(organization=self.instance).filter(user__email=email).exists():
                    raise forms.ValidationError("This person is already a member: an owner can change their role.")
        return email


@admin.register(Organization)
class OrganizationAdmin(ReadOnlyAdmin[Organization]):
    needs_organization = False
    form = OrganizationForm
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "owner_email")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Organization | None = None) -> bool:
        return self.has_view_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Organization | None = None) -> tuple[str, ...]:
        return ("slug",) if obj else ()  # bookmarked pages have it in their address

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type(form.__name__, (form,), {"is_entered": obj is not None and entered(request) == obj})

    def save_model(self, request: HttpRequest, obj: Organization, form: Any, change: bool) -> None:
        if change:
            obj.save(update_fields=["name"])
        else:
            obj.pk = services.organization_create(name=obj.name, slug=obj.slug, actor=operator_of(request)).pk
        if email := form.cleaned_data["owner_email"]:
            with organization_scope(obj, user=None):
                _, link = services.member_invite(
                    organization=obj, actor=operator_of(request), email=email, role=Role.OWNER
                )
            obj.owner_link = link  # type: ignore[attr-defined]  # shown in the response to this request only

    def response_add(
        self, request: HttpRequest, obj: Organization, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self._link_page(request, obj) or super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Organization) -> HttpResponse:
        return self._link_page(request, obj) or super().response_change(request, obj)

    def _link_page(self, request: HttpRequest, obj: Organization) -> HttpResponse | None:
        link = getattr(obj, "owner_link", None)
        text = f"Send this link to the person who will own {obj}."
        return _link_once(self, request, link, text) if link else None


@admin.register(User)
class UserAdmin(ReadOnlyAdmin[User]):
    """People join by invitation; operators close accounts and help those who are locked out."""

    needs_organization = False
    list_display = ("email", "name", "is_active", "is_staff", "created_at")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    fields = ("email", "name", "is_active", "is_staff", "last_login", "created_at")
    actions = ("sign_in_link", "second_factor_remove")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Only superusers may change other operators."""
        may_view = self.has_view_permission(request, obj)
        return may_view and (operator_of(request).is_superuser or obj is None or not (obj.is_staff or obj.is_superuser))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        if "name" in form.base_fields:
            form.base_fields["name"].validators = [*form.base_fields["name"].validators, name_check]
        return form

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        fixed = ("email", "last_login", "created_at")
        return fixed if operator_of(request).is_superuser else (*fixed, "is_staff")

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "is_active" in form.changed_data:
            services.account_switched(user=obj, actor=operator_of(request))

    @admin.action(description="Create a one-time sign-in link (choose one person)")
    def sign_in_link(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        person = self._the_one(request, queryset, "create a sign-in link for")
        if person is None:
            return None
        _, link = services.sign_in_link_create(user=person, actor=operator_of(request))
        return _link_once(self, request, link, f"This link signs {person} in.")

    @admin.action(description="Remove the second factor of someone who has lost it (choose one person)")
    def second_factor_remove(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        person = self._the_one(request, queryset, "remove the second factor of")
        if person is None:
            return
        try:
            services.second_factor_remove(user=person, actor=operator_of(request))
        except Conflict as error:
            self.message_user(request, error.message, messages.ERROR)
        else:
            self.message_user(request, f"{person} no longer has a second factor and was signed out.", messages.SUCCESS)

    def _the_one(self, request: HttpRequest, queryset: QuerySet[User], what: str) -> User | None:
        """The one person chosen, if the operator may do that; says so if not."""
        people = list(queryset[:2])
        if len(people) != 1:
            self.message_user(request, "Choose exactly one person.", messages.ERROR)
        elif not people[0].is_active or not self.has_change_permission(request, people[0]):
            self.message_user(request, f"You may not {what} {people[0]}.", messages.ERROR)
        else:
            return people[0]
        return None


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin[Invitation]):
    needs_organization = False
    list_display = (
        "email",
        "organization",
        "role",
        "invited_by",
        "created_at",
        "expires_at",
        "mailed_at",
        "accepted_at",
    )
    list_select_related = ("organization", "invited_by")


@admin.register(SignInLink)
class SignInLinkAdmin(ReadOnlyAdmin[SignInLink]):
    needs_organization = False
    list_display = ("user", "made_by", "created_at", "expires_at", "used_at")
    list_select_related = ("user", "made_by")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin[ApiToken]):
    needs_organization = False
    list_display = ("name", "prefix", "organization", "user", "last_used_at", "expires_at", "revoked_at")
    list_select_related = ("organization", "user")
    fields = (*list_display, "scopes", "addresses", "created_at")


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin[Membership]):
    list_display = ("user", "role", "created_at")
    list_select_related = ("user",)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin[AuditEvent]):
    list_display = ("at", "action", "actor_id", "subject_id")
    list_filter = ("action",)
    fields = (*list_display, "details", "source", "address", "sequence")
    ordering = ("-at",)


def _link_once(page: ReadOnlyAdmin[Any], request: HttpRequest, path: str, text: str) -> HttpResponse:
    context = {
        **page.admin_site.each_context(request),
        "title": "One-time link",
        "text": text,
        "link": request.build_absolute_uri(path),
        "back": reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_changelist"),
    }
    return TemplateResponse(request, "admin/link_once.html", context)
