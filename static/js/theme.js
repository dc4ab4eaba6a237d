// Sets the chosen appearance before the first paint; without a choice the system's preference counts.
(() => {
  document.documentElement.classList.add("js");
  try {
    const theme = localStorage.getItem("legalqa-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be switched off; the system's preference then stays.
  }
})();
