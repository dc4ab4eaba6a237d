// Keys and buttons that jump from change to change. The links work without this file, from the first change on.

const changes = [...document.querySelectorAll("[data-change]")];
const position = document.getElementById("change-position");
let current = changes.findIndex((change) => `#${change.id}` === location.hash);

function show(index) {
  current = (index + changes.length) % changes.length;
  const change = changes[current];
  change.focus({ preventScroll: true });
  change.scrollIntoView({ block: "center" });
  position.textContent = `${current + 1} of ${changes.length}`;
}

function isTyping(element) {
  return element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}

if (changes.length) {
  document.getElementById("change-keys").hidden = false;
  document.getElementById("change-next").addEventListener("click", (event) => {
    event.preventDefault();
    show(current + 1);
  });
  document.getElementById("change-previous").addEventListener("click", (event) => {
    event.preventDefault();
    show(current < 0 ? changes.length - 1 : current - 1);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "n") show(current + 1);
    else if (event.key === "p") show(current < 0 ? changes.length - 1 : current - 1);
  });
}
