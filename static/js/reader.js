// The reader: PDF pages by PDF.js on our own page, quoted words marked, Esc goes back (app.js).

const reader = document.getElementById("reader");
const pane = document.getElementById("reader-pages");
const $ = (id) => document.getElementById(id);
const NEAR = "120% 0px"; // pages this close to the view are painted
const KEEP = 4; // pages further away than this give their memory back
const ZOOM_STEP = 1.2;
const FIT_MOST = 1.75; // on very wide screens "fit to width" stops here

// --- Highlights -------------------------------------------------------------------------------

// Rectangles of one quoted passage: named by "quote" (index into quotes), or else neighbouring lines of one page.
function groupRects(rects) {
  const groups = [];
  let last = null;
  for (const rect of rects) {
    const isNamed = rect.quote !== undefined && rect.quote !== null;
    const isSame = last && (isNamed ? last.quote === rect.quote : last.page === rect.page && rect.y0 - last.y1 < 1.2 * (rect.y1 - rect.y0) && rect.y0 >= last.y0 - 2);
    if (isSame) groups.at(-1).push(rect);
    else groups.push([rect]);
    last = rect;
  }
  return groups;
}

// A passage that runs over a page break is one highlight: the list of quotes says how many there are.
function joinOverPages(groups, count) {
  const joined = [];
  let spare = groups.length - count;
  for (const group of groups) {
    const before = joined.at(-1);
    if (count && spare > 0 && before && group[0].page === before.at(-1).page + 1) {
      before.push(...group);
      spare -= 1;
    } else joined.push(group);
  }
  return joined;
}

function showHitPosition(state) {
  $("reader-hits").hidden = state.hits.length === 0;
  $("hit-position").textContent = `${state.hit + 1} of ${state.hits.length}`;
  for (const item of document.querySelectorAll("[data-hit]")) item.classList.toggle("is-current", Number(item.dataset.hit) === state.hit);
  for (const mark of document.querySelectorAll(".pdf-hit")) mark.classList.toggle("is-current", Number(mark.dataset.group) === state.hit);
}

// --- PDF --------------------------------------------------------------------------------------

function setStatus(text, isError = false) {
  const status = $("reader-status");
  status.textContent = text;
  status.classList.toggle("is-error", isError);
}

async function fetchRects(url) {
  if (!url) return { rects: [], quotes: [] };
  const response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  if (!response.ok) throw new Error(`The highlights could not be loaded (${response.status}).`);
  return response.json();
}

async function openPdf(lib, data) {
  lib.GlobalWorkerOptions.workerSrc = data.workerUrl;
  const absolute = (path) => new URL(path, document.baseURI).href;
  const task = lib.getDocument({
    url: data.fileUrl,
    cMapUrl: absolute(data.cmapUrl),
    cMapPacked: true,
    standardFontDataUrl: absolute(data.fontUrl),
    wasmUrl: absolute(data.decoderUrl),
    useWasm: false, // the content policy allows no WebAssembly: the plain decoders are used
    useSystemFonts: false,
    enableXfa: false,
    verbosity: lib.VerbosityLevel.ERRORS,
  });
  return task.promise;
}

class PdfView {
  constructor(lib, pdf, groups) {
    this.lib = lib;
    this.pdf = pdf;
    this.hits = groups;
    this.hit = 0;
    this.zoom = null; // null = fit to width
    this.page = 1;
    this.slots = [];
    this.epoch = 0;
  }

  async build() {
    const first = await this.pdf.getPage(1);
    const size = first.getViewport({ scale: 1 });
    for (let number = 1; number <= this.pdf.numPages; number += 1) {
      const element = document.createElement("section");
      element.className = "pdf-page";
      element.id = `page-${number}`;
      element.dataset.page = number;
      element.setAttribute("aria-label", `Page ${number}`);
      const label = document.createElement("span");
      label.className = "pdf-page-label";
      label.textContent = `Page ${number}`;
      element.append(label);
      pane.append(element);
      this.slots.push({ number, element, width: size.width, height: size.height, epoch: -1, painting: null });
    }
    await this.measure(this.slots.slice(0, 40));
    this.layOut();
    this.observe();
  }

  // Sizes of the first pages are read at once, those of the others when they come near: landscape annexes are common.
  async measure(slots) {
    for (const slot of slots) {
      const page = await this.pdf.getPage(slot.number);
      const { width, height } = page.getViewport({ scale: 1 });
      Object.assign(slot, { width, height });
    }
  }

  get scale() {
    if (this.zoom) return this.zoom;
    const widest = Math.max(...this.slots.map((slot) => slot.width));
    const style = getComputedStyle(pane);
    const room = pane.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return Math.min(room / widest, FIT_MOST);
  }

  layOut() {
    const anchor = this.slots[this.page - 1];
    const offset = anchor ? (pane.scrollTop - anchor.element.offsetTop) / (anchor.element.offsetHeight || 1) : 0;
    const scale = this.scale;
    this.epoch += 1;
    for (const slot of this.slots) this.size(slot, scale);
    if (anchor) pane.scrollTop = anchor.element.offsetTop + offset * anchor.element.offsetHeight;
    for (const slot of this.slots) if (slot.isNear) this.paint(slot);
  }

  size(slot, scale) {
    slot.element.style.width = `${Math.floor(slot.width * scale)}px`;
    slot.element.style.height = `${Math.floor(slot.height * scale)}px`;
  }

  observe() {
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const slot = this.slots[Number(entry.target.dataset.page) - 1];
        slot.isNear = entry.isIntersecting;
        if (slot.isNear) this.paint(slot);
      }
    }, { root: pane, rootMargin: NEAR });
    for (const slot of this.slots) near.observe(slot.element);
    pane.addEventListener("scroll", () => this.onScroll(), { passive: true });
    let width = pane.clientWidth;
    new ResizeObserver(() => {
      if (this.zoom || Math.abs(pane.clientWidth - width) < 2) return;
      width = pane.clientWidth;
      this.layOut();
    }).observe(pane);
  }

  onScroll() {
    const middle = pane.scrollTop + pane.clientHeight * 0.35;
    const slot = this.slots.findLast((item) => item.element.offsetTop <= middle) ?? this.slots[0];
    if (slot.number !== this.page) this.setPage(slot.number);
    for (const item of this.slots) if (!item.isNear && item.epoch >= 0 && Math.abs(item.number - this.page) > KEEP) this.release(item);
  }

  setPage(number) {
    this.page = number;
    if (document.activeElement !== $("page-number")) $("page-number").value = number;
    $("page-previous").disabled = number <= 1;
    $("page-next").disabled = number >= this.slots.length;
    for (const link of document.querySelectorAll("#page-list [data-goto-page]")) {
      if (Number(link.dataset.gotoPage) === number) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  paint(slot) {
    if (slot.epoch === this.epoch) return slot.painting;
    slot.epoch = this.epoch;
    slot.task?.cancel();
    slot.painting = this.paintNow(slot, this.epoch).catch((error) => {
      if (error?.name !== "RenderingCancelledException") setStatus(`Page ${slot.number} could not be drawn. Download the file to read it.`, true);
    });
    return slot.painting;
  }

  async paintNow(slot, epoch) {
    const page = await this.pdf.getPage(slot.number);
    if (epoch !== this.epoch) return;
    const scale = this.scale;
    const viewport = page.getViewport({ scale });
    Object.assign(slot, { width: viewport.width / scale, height: viewport.height / scale });
    this.size(slot, scale);
    const canvas = document.createElement("canvas");
    const ratio = Math.min(devicePixelRatio || 1, 3);
    canvas.width = Math.floor(viewport.width * ratio);
    canvas.height = Math.floor(viewport.height * ratio);
    canvas.setAttribute("aria-hidden", "true");
    slot.task = page.render({ canvas, viewport, transform: ratio === 1 ? null : [ratio, 0, 0, ratio, 0, 0] });
    await slot.task.promise;
    const text = document.createElement("div");
    text.className = "textLayer";
    slot.element.style.setProperty("--total-scale-factor", scale);
    await new this.lib.TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport }).render();
    if (epoch !== this.epoch) return;
    slot.element.querySelectorAll("canvas, .textLayer, .pdf-hit").forEach((old) => old.remove());
    slot.element.append(canvas, ...this.marksOf(slot.number, scale), text);
    slot.element.classList.add("is-painted");
    slot.element.dataset.painted = "true";
    if (slot.number === this.readyPage) reader.dataset.ready = "true";
  }

  release(slot) {
    slot.task?.cancel();
    slot.epoch = -1;
    slot.element.classList.remove("is-painted");
    delete slot.element.dataset.painted;
    slot.element.querySelectorAll("canvas, .textLayer, .pdf-hit").forEach((old) => old.remove());
  }

  marksOf(number, scale) {
    return this.hits.flatMap((group, index) => group.filter((rect) => rect.page === number).map((rect) => {
      const mark = document.createElement("div");
      mark.className = "pdf-hit";
      mark.classList.toggle("is-current", index === this.hit);
      mark.dataset.group = index;
      mark.style.left = `${rect.x0 * scale}px`;
      mark.style.top = `${rect.y0 * scale}px`;
      mark.style.width = `${(rect.x1 - rect.x0) * scale}px`;
      mark.style.height = `${(rect.y1 - rect.y0) * scale}px`;
      return mark;
    }));
  }

  async goToPage(number) {
    const slot = this.slots[Math.min(Math.max(number, 1), this.slots.length) - 1];
    this.setPage(slot.number);
    pane.scrollTop = slot.element.offsetTop - 12;
    await this.paint(slot);
  }

  async goToHit(index) {
    this.hit = (index + this.hits.length) % this.hits.length;
    const rect = this.hits[this.hit][0];
    const slot = this.slots[rect.page - 1];
    if (!slot) return;
    this.setPage(slot.number);
    const place = () => { pane.scrollTop = slot.element.offsetTop + rect.y0 * this.scale - pane.clientHeight * 0.3; };
    place();
    await this.paint(slot);
    place();
    showHitPosition(this);
  }

  setZoom(zoom) {
    this.zoom = zoom && Math.min(Math.max(zoom, 0.4), 5);
    this.layOut();
  }
}

function wire(view) {
  const on = (id, action) => $(id).addEventListener("click", action);
  on("page-previous", () => view.goToPage(view.page - 1));
  on("page-next", () => view.goToPage(view.page + 1));
  on("zoom-in", () => view.setZoom(view.scale * ZOOM_STEP));
  on("zoom-out", () => view.setZoom(view.scale / ZOOM_STEP));
  on("zoom-fit", () => view.setZoom(null));
  on("hit-previous", () => view.goToHit(view.hit - 1));
  on("hit-next", () => view.goToHit(view.hit + 1));
  $("page-number").addEventListener("change", (event) => {
    const number = Number.parseInt(event.target.value, 10);
    if (Number.isNaN(number)) event.target.value = view.page;
    else view.goToPage(number);
  });
  document.addEventListener("click", (event) => {
    const page = event.target.closest("[data-goto-page]");
    const hit = event.target.closest("[data-goto-hit]");
    if (page) {
      event.preventDefault();
      view.goToPage(Number(page.dataset.gotoPage));
    } else if (hit && Number(hit.dataset.gotoHit) < view.hits.length) view.goToHit(Number(hit.dataset.gotoHit));
  });
  for (const rect of view.hits.flat()) document.querySelector(`#page-list [data-goto-page="${rect.page}"]`)?.classList.add("has-highlight");
}

async function startPdf() {
  const data = reader.dataset;
  try {
    const marks = fetchRects(data.rectsUrl).catch((error) => ({ rects: [], quotes: [], error }));
    const lib = await import(data.libUrl);
    const pdf = await openPdf(lib, data);
    const found = await marks;
    const view = new PdfView(lib, pdf, joinOverPages(groupRects(found.rects ?? []), found.quotes?.length ?? 0));
    view.readyPage = view.hits[0]?.[0].page ?? Math.min(Math.max(Number(data.page) || 1, 1), pdf.numPages);
    await view.build();
    wire(view);
    setStatus(found.error ? `${found.error.message} The page itself is shown.` : "", Boolean(found.error));
    if (view.hits.length) await view.goToHit(0);
    else await view.goToPage(view.readyPage);
  } catch (error) {
    reader.dataset.failed = "true";
    setStatus(`The document could not be opened here (${error.message}). Download the file to read it.`, true);
  }
}

// --- Text -------------------------------------------------------------------------------------

function startText() {
  const marks = [...document.querySelectorAll("mark[data-highlight]")];
  const state = { hits: marks, hit: 0 };
  const go = (index) => {
    state.hit = (index + marks.length) % marks.length;
    marks.forEach((mark, place) => mark.classList.toggle("is-current", place === state.hit));
    marks[state.hit].scrollIntoView({ block: "center" });
    showHitPosition(state);
  };
  if (marks.length) {
    $("hit-previous").addEventListener("click", () => go(state.hit - 1));
    $("hit-next").addEventListener("click", () => go(state.hit + 1));
    go(0);
  }
  reader.dataset.ready = "true";
}

// --- Keys: n and p step through the highlights, as through the changes of a version -------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (!reader || $("reader-hits").hidden) return;
  if (event.key === "n") $("hit-next").click();
  if (event.key === "p") $("hit-previous").click();
});

// --- Outline on narrow screens ----------------------------------------------------------------

function wireOutline() {
  const toggle = $("outline-toggle");
  if (!toggle || !$("reader-outline")) return;
  const setOpen = (isOpen) => {
    reader.classList.toggle("is-outline-open", isOpen);
    toggle.setAttribute("aria-expanded", String(isOpen));
  };
  toggle.hidden = false;
  toggle.addEventListener("click", () => setOpen(!reader.classList.contains("is-outline-open")));
  $("reader-outline").addEventListener("click", (event) => { if (event.target.closest("a")) setOpen(false); });
}

if (reader) wireOutline();
if (reader?.dataset.kind === "pdf") startPdf();
else if (reader?.dataset.kind === "text") startText();
