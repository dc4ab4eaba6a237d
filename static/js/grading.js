// Grading by keys, and a draft after every change. The form works without this file.

const form = document.querySelector("[data-grading]");
const groups = [...form?.querySelectorAll("[data-group]") ?? []];
const saved = form?.querySelector("[data-saved]");
const onward = form?.querySelector("[data-onward]");
let at = 0; // the group that the next digit grades
let sending = Promise.resolve(); // one change after the other, in the order in which they were made
let nMade = 0; // drafts
let nFlushed = 0; // so many of them need not be sent any more
let nOnTheWay = 0;
let timer = 0;
let isLeaving = false;

// --- Time: only while the page is in focus --------------------------------------------------------
let focusedAt = document.hasFocus() ? performance.now() : null;
let seconds = 0;

function clock(isFocused) {
  if (focusedAt !== null) seconds += (performance.now() - focusedAt) / 1000;
  focusedAt = isFocused ? performance.now() : null;
}

function takeSeconds() {
  clock(document.hasFocus());
  const taken = seconds;
  seconds = 0;
  return taken.toFixed(2);
}

// --- Drafts -----------------------------------------------------------------------------------
function stopTimer() {
  clearTimeout(timer);
  timer = 0;
}

function changes() {
  stopTimer();
  const data = new FormData(form);
  data.set("action", "draft");
  data.set("seconds", takeSeconds());
  return data;
}

async function send(data) {
  let said = "The draft was not saved. Submitting sends it again.";
  try {
    // keepalive: a change is stored although the page is closed right after it
    const reply = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(data), headers: { "X-Draft": "1" }, keepalive: true });
    if (reply.status === 204) said = `Draft saved ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" })}.`;
    else if (reply.status === 422) said = await reply.text(); // 200 is the sign-in page
  } catch { /* no connection: as said above */ }
  nOnTheWay -= 1;
  if (nOnTheWay === 0 && timer === 0) saved.textContent = said; // of what is on the page now
}

function draft() {
  const data = changes();
  const mine = nMade += 1;
  nOnTheWay += 1;
  saved.textContent = "Saving…";
  sending = sending.then(() => {
    if (mine > nFlushed) return send(data);
    nOnTheWay -= 1; // what was sent when the page was left has it
  });
}

function flush() { // the page is left: nothing that waits for its turn would be sent any more
  if (timer === 0 && nOnTheWay === 0) return;
  nFlushed = nMade;
  nOnTheWay += 1;
  send(changes());
}

async function act(name) {
  if (isLeaving) return;
  isLeaving = true;
  stopTimer();
  form.elements.seconds.value = takeSeconds();
  await sending; // a draft must not arrive after what follows it
  form.requestSubmit(form.querySelector(`button[name=action][value=${name}]`));
}

// --- Groups -----------------------------------------------------------------------------------
const isGraded = (group) => group.querySelector("input:checked") !== null;

function show() {
  for (const rubric of document.querySelectorAll("[data-rubric]")) rubric.hidden = rubric.dataset.rubric !== groups[at].dataset.group;
}

function focusGroup(place, isScrolled = true) {
  at = Math.max(0, Math.min(place, groups.length - 1));
  const input = groups[at].querySelector("input:checked") ?? groups[at].querySelector("input");
  input.focus({ preventScroll: true });
  if (isScrolled) groups[at].scrollIntoView({ block: "nearest" });
  show();
}

function grade(input) {
  input.checked = true;
  draft();
  if (groups.every(isGraded) && onward.checked) act("submit");
  else focusGroup(at + 1);
}

// --- Keys -------------------------------------------------------------------------------------
const isTyping = (element) => element.matches("textarea, select, input:not([type=radio], [type=checkbox])");

function choose(key) {
  const input = groups[at].querySelector(`input[data-key="${CSS.escape(key)}"]`);
  if (input) grade(input);
  return input !== null;
}

const KEYS = {
  ArrowDown: () => focusGroup(at + 1),
  ArrowUp: () => focusGroup(at - 1),
  Enter: () => act("submit"),
  s: () => form.querySelector("[data-key=s]") && act("skip"),
  u: () => act("undo"),
  f: () => form.querySelector("[data-key=f]").click(),
  a: () => onward.click(),
  n: () => form.elements.note.focus(),
  r: () => {
    const words = form.elements.reference_note;
    if (!words) return;
    words.closest("details").open = true;
    words.focus();
  },
  "?": () => { const list = form.querySelector("[data-keys]"); list.open = !list.open; },
};

function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    draft();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
  if (event.target.matches("a, summary, button") && (event.key === "Enter" || event.key === " ")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (KEYS[key]) {
    event.preventDefault();
    KEYS[key]();
  } else if (choose(key)) event.preventDefault();
}

function onFocus(event) {
  const place = groups.indexOf(event.target.closest("[data-group]"));
  if (place < 0 || place === at) return;
  at = place;
  show();
}

function setUp() {
  for (const hidden of form.querySelectorAll("[data-script-only]")) hidden.hidden = false;
  onward.checked = localStorage.getItem("legalqa-grading-onward") === "1";
  onward.addEventListener("change", () => localStorage.setItem("legalqa-grading-onward", onward.checked ? "1" : "0"));
  form.addEventListener("change", (event) => { if (event.target !== onward) draft(); });
  form.addEventListener("input", (event) => {
    if (!event.target.matches("textarea")) return;
    stopTimer();
    saved.textContent = "Saving…";
    timer = setTimeout(draft, 800);
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=action]");
    if (!button) return;
    event.preventDefault();
    if (button.value === "draft") draft();
    else act(button.value);
  });
  form.addEventListener("focusin", onFocus);
  document.addEventListener("keydown", onKey);
  addEventListener("focus", () => clock(true));
  addEventListener("blur", () => clock(false));
  document.addEventListener("visibilitychange", () => clock(document.visibilityState === "visible" && document.hasFocus()));
  addEventListener("pagehide", flush);
  addEventListener("pageshow", () => { isLeaving = false; }); // the browser's way back leads to a live form
  const first = groups.findIndex((group) => !isGraded(group));
  focusGroup(first < 0 ? 0 : first, false); // on a phone the question is read first
  form.dataset.ready = "true"; // keys are heard from now on
}

if (form) setUp();
