// The page of an answer: focus after asking, and the cited page beside the answer on wide screens.

const WIDE = matchMedia("(min-width: 64rem)");
const panel = document.getElementById("source-panel");
const layout = document.querySelector(".answer-layout");
const cites = [...document.querySelectorAll("#answer-body [data-cite]")];
let at = -1;

// --- After asking: the answer has the focus, and its first words are said ----------------------
function arrive() {
  const address = new URL(location.href);
  if (!address.searchParams.has("new")) return;
  const body = document.getElementById("answer-body");
  const said = document.getElementById("answer-said");
  address.searchParams.delete("new");
  address.hash = "";
  history.replaceState(null, "", address);
  body.focus({ preventScroll: true });
  body.scrollIntoView({ block: "start" });
  setTimeout(() => { said.textContent = said.dataset.said; }, 100); // a live region must exist before it speaks
}

// --- Source beside the answer ------------------------------------------------------------------
function show(place) {
  at = (place + cites.length) % cites.length;
  const cite = cites[at];
  const address = new URL(cite.href);
  address.searchParams.set("panel", "1");
  panel.hidden = false;
  layout.classList.add("has-source");
  for (const card of document.querySelectorAll(".cite-card")) card.classList.add("is-dismissed"); // placed for the old width
  panel.querySelector("[data-source-frame]").src = address.href;
  panel.querySelector("[data-source-whole]").href = cite.href;
  panel.querySelector("[data-source-at]").textContent = `${at + 1} of ${cites.length}`;
  panel.querySelector("[data-source-name]").textContent = cite.getAttribute("aria-label");
  for (const other of cites) other.classList.toggle("is-linked", other === cite);
  panel.scrollIntoView({ block: "nearest" });
}

function close() {
  panel.hidden = true;
  layout.classList.remove("has-source");
  for (const cite of cites) cite.classList.remove("is-linked");
  cites[at]?.focus();
}

function onClick(event) {
  const cite = event.target.closest("#answer-body [data-cite]");
  if (cite && WIDE.matches && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    show(cites.indexOf(cite));
    return;
  }
  const step = event.target.closest("[data-source-step]");
  if (step) show(at + Number(step.dataset.sourceStep));
  if (event.target.closest("[data-source-close]")) close();
}

function onEscape(event) {
  if (event.key !== "Escape" || event.defaultPrevented || panel.hidden) return;
  event.preventDefault();
  close();
}

if (panel && cites.length) {
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onEscape, { capture: true });
  panel.querySelector("[data-source-frame]").addEventListener("load", (event) => {
    event.target.contentDocument?.addEventListener("keydown", onEscape);
  });
}
arrive();
