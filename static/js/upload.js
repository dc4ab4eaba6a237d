// Drag and drop, one request and one progress row per file. The form works without this file too.

const form = document.querySelector("[data-upload]");
const results = document.getElementById("upload-results");
const AT_ONCE = 2;

function rowFor(name) {
  const row = document.createElement("div");
  row.className = "upload-file";
  const label = document.createElement("span");
  label.className = "name";
  label.textContent = name;
  const state = document.createElement("span");
  state.className = "source";
  state.textContent = "Waiting to be sent";
  const progress = document.createElement("progress");
  progress.max = 100;
  progress.value = 0;
  progress.setAttribute("aria-label", `Sending ${name}`);
  row.append(label, state, progress);
  results.append(row);
  return { row, state, progress };
}

function failRow({ row, state, progress }, text) {
  progress.remove();
  state.textContent = "Not sent";
  const reason = document.createElement("p");
  reason.textContent = text;
  row.append(reason);
}

function reasonFor(status) {
  if (status === 0) return "The server cannot be reached. Check the connection and add the file again.";
  if (status === 413) return "The file is larger than allowed.";
  if (status === 507) return "There is too little room left on the server's disk. Ask your operator to free some space.";
  if (status === 403) return "You are not allowed to add documents here, or this page was open for too long. Reload it.";
  return "Something went wrong on our side. Add the file again in a minute.";
}

// The reply is our own results partial: a fragment that Django escaped.
function showReply(parts, request) {
  const isPartial = (request.status < 400 || request.status === 422) && request.responseText.includes("upload-file");
  if (!isPartial) return failRow(parts, reasonFor(request.status < 400 ? 500 : request.status));
  const reply = new DOMParser().parseFromString(request.responseText, "text/html");
  parts.row.replaceWith(...reply.querySelectorAll(".upload-file"));
}

function send(file, parts) {
  return new Promise((resolve) => {
    const body = new FormData(form);
    body.delete("files");
    body.append("files", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("HX-Request", "true");
    request.upload.addEventListener("progress", (event) => {
      if (!event.lengthComputable) return;
      parts.progress.value = (100 * event.loaded) / event.total;
      parts.state.textContent = event.loaded < event.total ? "Sending" : "Checking";
    });
    request.addEventListener("loadend", () => {
      showReply(parts, request);
      resolve();
    });
    request.send(body);
  });
}

// A file that was taken in is in the list below with its state: one line here says so, and its row goes.
function sumUp() {
  const accepted = results.querySelectorAll('[data-accepted="true"]');
  if (!accepted.length) return;
  for (const row of accepted) row.remove();
  const line = document.createElement("p");
  line.className = "help";
  line.textContent = `${accepted.length === 1 ? "1 file was" : `${accepted.length} files were`} added. The list below shows how far reading is.`;
  results.prepend(line);
}

async function sendAll(files) {
  results.replaceChildren();
  const waiting = files.map((file) => [file, rowFor(file.name)]);
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  form.reset();
  sumUp();
  document.body.dispatchEvent(new CustomEvent("documents-changed"));
}

function carriesFiles(event) {
  return [...(event.dataTransfer?.types ?? [])].includes("Files");
}

function setUp() {
  let depth = 0;
  const setOver = (isOver) => form.classList.toggle("is-over", isOver);
  addEventListener("dragenter", (event) => { if (carriesFiles(event)) { depth += 1; setOver(true); } });
  addEventListener("dragleave", () => { depth = Math.max(0, depth - 1); if (!depth) setOver(false); });
  addEventListener("dragover", (event) => { if (carriesFiles(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    depth = 0;
    setOver(false);
    if (!carriesFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length) sendAll([...event.dataTransfer.files]);
  });
  form.addEventListener("submit", (event) => {
    const files = [...form.elements.files.files];
    if (!files.length) return;
    event.preventDefault();
    sendAll(files);
  });
}

if (form) setUp();
