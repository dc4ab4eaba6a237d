// Small enhancements shared by all pages. Every page works without this file.

const root = document.documentElement;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// --- Appearance -------------------------------------------------------------------------------
function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setUpTheme() {
  for (const button of all("[data-theme-toggle]")) {
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.hidden = false;
    show();
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem("legalqa-theme", root.dataset.theme);
      } catch {
        // Without storage the choice lasts for this page only.
      }
      show();
    });
  }
}

// --- Messages ---------------------------------------------------------------------------------
function showMessage(text, tone = "contra") {
  const box = document.getElementById("messages");
  if (!box || box.lastElementChild?.textContent.includes(text)) return; // a poll that keeps failing says so once
  const notice = document.createElement("div");
  notice.className = `notice tone-${tone}`;
  notice.dataset.notice = "";
  const words = document.createElement("p");
  words.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button button-quiet button-small";
  close.dataset.dismiss = "";
  close.textContent = "Dismiss";
  notice.append(document.createElement("span"), words, close);
  box.append(notice);
  notice.scrollIntoView({ block: "nearest" });
}

function failureText(status) {
  if (status === 403) return "You are not allowed to do this, or this page was open for too long. Reload it and try again.";
  if (status === 404) return "This no longer exists, or you cannot see it.";
  if (status === 413) return "The file is larger than allowed.";
  if (status === 429) return "Too many requests. Wait a minute and try again.";
  return "Something went wrong on our side. Nothing was changed; try again in a minute.";
}

// --- Citation marks ---------------------------------------------------------------------------
function placeCard(wrap) {
  const card = wrap.querySelector(".cite-card");
  if (!card) return;
  card.classList.remove("is-above");
  card.style.setProperty("--shift", "0px");
  const box = card.getBoundingClientRect();
  const edge = 12;
  const width = root.clientWidth;
  if (box.left < edge) card.style.setProperty("--shift", `${edge - box.left}px`);
  else if (box.right > width - edge) card.style.setProperty("--shift", `${width - edge - box.right}px`);
  const mark = wrap.getBoundingClientRect();
  if (box.bottom > innerHeight && mark.top > box.height + edge) card.classList.add("is-above");
}

function linkSource(wrap, isLinked) {
  if (!wrap.closest("#answer-body")) return; // the evidence beside is that of the open answer
  const number = wrap.querySelector("[data-cite]")?.dataset.cite;
  for (const source of all(`[data-source="${CSS.escape(number ?? "")}"]`)) source.classList.toggle("is-linked", isLinked);
}

function onCitation(event, isOn) {
  const wrap = event.target.closest?.(".cite-wrap");
  if (!wrap || (event.relatedTarget && wrap.contains(event.relatedTarget))) return;
  if (isOn) {
    wrap.querySelector(".cite-card")?.classList.remove("is-dismissed");
    placeCard(wrap);
  }
  linkSource(wrap, isOn);
}

// --- Copying ----------------------------------------------------------------------------------
async function copyText(text) {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("The browser did not allow copying.");
}

async function copyFrom(button, text) {
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  try {
    await copyText(text);
    label.textContent = "Copied";
    setTimeout(() => { label.textContent = before; }, 2000);
  } catch {
    showMessage("The browser did not allow copying. Select the text and copy it yourself.");
  }
}

// --- What is wider than the page ----------------------------------------------------------------
// Says which way there is more; the box takes the focus, so that the arrow keys scroll it.
function markMore(box) {
  const hidden = getComputedStyle(box).overflowX === "auto" ? box.scrollWidth - box.clientWidth : 0;
  if (hidden < 2) {
    delete box.dataset.scrolls;
    return;
  }
  box.dataset.scrolls = hidden - box.scrollLeft > 1 ? "on" : "back";
  if (box.hasAttribute("tabindex")) return;
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `Table: ${box.querySelector("th")?.textContent.trim() ?? ""}`);
}

const sizes = new ResizeObserver((entries) => { for (const entry of entries) markMore(entry.target); });

function watchWide() {
  for (const box of all(".table-wrap, .scroll-x")) sizes.observe(box);
}

// --- Clicks and keys --------------------------------------------------------------------------
function onClick(event) {
  const target = event.target;
  for (const menu of all("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
  const dismiss = target.closest("[data-dismiss]");
  if (dismiss) dismiss.closest("[data-notice]").remove();
  const copyAnswer = target.closest("[data-copy-answer]");
  if (copyAnswer) copyFrom(copyAnswer, document.querySelector("[data-answer-text]").textContent);
  const copyValue = target.closest("[data-copy-from]");
  if (copyValue) copyFrom(copyValue, document.querySelector(copyValue.dataset.copyFrom).value);
  if (target.closest("[data-print]")) print();
  const example = target.closest("[data-example]");
  const box = document.querySelector("#ask-form [data-question-box]");
  if (example && box && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    box.value = example.dataset.example;
    box.focus();
  }
}

function isTyping(element) {
  return element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}

function closeTopmost() {
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
    return true;
  }
  const wrap = document.querySelector(".cite-wrap:hover, .cite-wrap:focus-within");
  const card = wrap?.querySelector(".cite-card:not(.is-dismissed)");
  if (card) {
    card.classList.add("is-dismissed");
    linkSource(wrap, false);
    return true;
  }
  return false;
}

function onKey(event) {
  const box = document.querySelector("[data-question-box]");
  if (event.key === "/" && box && !isTyping(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    box.focus();
    box.scrollIntoView({ block: "center" });
  } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("[data-question-box]")) {
    event.preventDefault();
    event.target.form.requestSubmit();
  } else if (event.key === "Enter" && event.target.matches("[data-enter]")) {
    event.preventDefault();
    document.querySelector(event.target.dataset.enter).click();
  } else if (event.key === "Escape" && !event.defaultPrevented) {
    if (closeTopmost()) return;
    if (isTyping(event.target)) {
      event.target.blur();
      return;
    }
    const back = document.querySelector("#reader[data-back-url]");
    if (back) location.assign(back.dataset.backUrl);
  }
}

// --- Length of a question ---------------------------------------------------------------------
function countCharacters(box) {
  const most = Number(box.dataset.maxLength);
  const count = box.value.trim().length;
  let words = box.nextElementSibling;
  if (!words?.matches("[data-count]")) {
    words = document.createElement("p");
    words.className = "help num";
    words.dataset.count = "";
    words.setAttribute("role", "status");
    box.after(words);
  }
  words.hidden = count < 0.75 * most;
  const figures = `${count.toLocaleString("en")} of ${most.toLocaleString("en")} characters.`;
  words.textContent = count > most ? `${figures} A longer question is not read: shorten it before you ask.` : figures;
  box.setAttribute("aria-invalid", String(count > most));
}

// A setting that does nothing beside another one cannot be filled in, and is not sent.
function switchOff() {
  for (const field of all("[data-unless]")) {
    const [name, value] = field.dataset.unless.split("=");
    field.disabled = field.form.elements[name]?.value === value;
  }
}

// A second click must not ask twice; coming back by the browser's button must find a live form.
function onSubmit(event) {
  const form = event.target;
  if (!form.matches("[data-busy-text]")) return;
  const button = form.querySelector("button[type=submit]");
  setTimeout(() => {
    button.disabled = true;
    button.dataset.label = button.innerHTML;
    button.textContent = form.dataset.busyText;
  });
}

function onPageShow() {
  switchOff();
  for (const button of all("[data-busy-text] button[data-label]")) {
    button.disabled = false;
    button.innerHTML = button.dataset.label;
    delete button.dataset.label;
  }
}

setUpTheme();
watchWide();
document.addEventListener("change", switchOff);
for (const button of all("[data-copy-answer], [data-copy-from], [data-print]")) button.hidden = false;
for (const box of all("textarea[data-max-length]")) if (box.value) countCharacters(box);
document.addEventListener("input", (event) => {
  if (event.target.matches("textarea[data-max-length]")) countCharacters(event.target);
});
document.addEventListener("click", onClick);
document.addEventListener("scroll", (event) => { if (event.target.matches?.(".table-wrap, .scroll-x")) markMore(event.target); }, true);
document.addEventListener("keydown", onKey);
document.addEventListener("submit", onSubmit);
document.addEventListener("pointerover", (event) => onCitation(event, true));
document.addEventListener("pointerout", (event) => onCitation(event, false));
document.addEventListener("focusin", (event) => onCitation(event, true));
document.addEventListener("focusout", (event) => onCitation(event, false));
addEventListener("pageshow", onPageShow);
document.addEventListener("htmx:responseError", (event) => showMessage(failureText(event.detail.xhr.status)));
document.addEventListener("htmx:sendError", () => showMessage("The server cannot be reached. Check the connection; the page tries again by itself."));
document.addEventListener("htmx:afterSwap", (event) => {
  watchWide();
  if (event.target.id === "examples") {
    const example = document.querySelector("#examples [data-placeholder]")?.dataset.placeholder;
    document.querySelector("#ask-form [data-question-box]").placeholder = example ?? "Your question";
  }
  for (const button of all("[data-copy-answer]")) button.hidden = false;
});
