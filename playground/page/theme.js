// Light or dark: the system's wish until one chooses here.

const REMEMBERED = "warbot-theme";

export function startTheme(button) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const current = () => document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light");
  const draw = () => {
    const other = current() === "dark" ? "light" : "dark";
    button.setAttribute("aria-label", `Switch to the ${other} theme`);
    button.title = `Switch to the ${other} theme`;
    button.dataset.shows = current();
  };
  const chosen = localStorage.getItem(REMEMBERED);
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
    localStorage.setItem(REMEMBERED, document.documentElement.dataset.theme);
    draw();
  });
  system.addEventListener("change", draw);
  draw();
}
