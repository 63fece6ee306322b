// Filters the list of all rules by words: each word has to be in the row.
function filterRules() {
  const field = document.querySelector("input.filter");
  if (!field) return;
  const tables = document.querySelectorAll("article table");
  const rows = [...tables[tables.length - 1].querySelectorAll("tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows.forEach((row, index) => { row.hidden = !words.every((word) => texts[index].includes(word)); });
  };
  field.addEventListener("input", show);
  show();
}

// Whatever scrolls sideways is reached with the keyboard.
function reachScrolled() {
  for (const part of document.querySelectorAll("article pre, article .table-wrapper")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

// What the theme and the generator leave unnamed for screen readers.
function nameParts() {
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
  for (const list of document.querySelectorAll("dt dl")) { // parameters on lines of their own, which are no list of definitions
    const lines = [...list.children].map((line) => Object.assign(document.createElement("div"), { innerHTML: line.innerHTML }));
    const parameters = Object.assign(document.createElement("div"), { className: "parameters" });
    parameters.append(...lines);
    list.replaceWith(parameters);
  }
  if (document.querySelector("h1")) return;
  const title = document.createElement("h1"); // the page of the search has none
  title.textContent = document.title.split(" - ")[0];
  document.querySelector("article")?.prepend(title);
}

// Parts with a bold title each become tabs; elsewhere they stand one below the other. A choice holds for all tabs with that title, and for later pages.
const TABS = [];
function showTabs(tabs, group) {
  const titles = [...tabs.querySelectorAll(":scope > p")];
  const list = Object.assign(document.createElement("div"), { className: "tab-list", role: "tablist" });
  const buttons = titles.map((title, index) => {
    const button = Object.assign(document.createElement("button"), { type: "button", role: "tab", id: `tab-${group}-${index}`, textContent: title.textContent });
    const panel = title.nextElementSibling;
    Object.assign(panel, { role: "tabpanel", id: `panel-${group}-${index}` });
    panel.setAttribute("aria-labelledby", button.id);
    button.setAttribute("aria-controls", panel.id);
    title.remove();
    list.append(button);
    return { button, panel };
  });
  const select = (title) => {
    const chosen = buttons.findIndex(({ button }) => button.textContent === title);
    if (chosen < 0) return;
    buttons.forEach(({ button, panel }, index) => {
      panel.hidden = index !== chosen;
      button.tabIndex = index === chosen ? 0 : -1;
      button.ariaSelected = String(index === chosen);
    });
  };
  list.addEventListener("click", ({ target }) => { if (target.role === "tab") choose(target); });
  list.addEventListener("keydown", ({ key, target }) => {
    const step = { ArrowRight: 1, ArrowLeft: buttons.length - 1 }[key];
    if (!step) return;
    const { button } = buttons[(buttons.findIndex((each) => each.button === target) + step) % buttons.length];
    choose(button);
    button.focus();
  });
  list.setAttribute("aria-label", "Variants");
  tabs.prepend(list);
  TABS.push(select);
  select(titles[0].textContent);
}

// Selects a title everywhere; the tab that was chosen stays where it is on the screen.
function choose(button) {
  const before = button.getBoundingClientRect().top;
  for (const select of TABS) select(button.textContent);
  scrollBy(0, button.getBoundingClientRect().top - before);
  reachScrolled();
  try {
    localStorage.setItem("nodepools-tab", button.textContent);
  } catch { /* a browser that keeps nothing shows the first tab again */ }
}

// The tab that was chosen before; `#eks` in an address chooses, too.
function chosenBefore() {
  let kept = null;
  try {
    kept = localStorage.getItem("nodepools-tab");
  } catch { /* see above */ }
  const wanted = decodeURIComponent(location.hash.slice(1)).toLowerCase();
  const named = [...document.querySelectorAll("[role=tab]")].map((tab) => tab.textContent).find((title) => title.toLowerCase().replaceAll(" ", "-") === wanted);
  for (const select of TABS) select(named ?? kept);
}

document.addEventListener("DOMContentLoaded", () => {
  filterRules();
  nameParts();
  document.querySelectorAll("div.tabs").forEach(showTabs);
  chosenBefore();
  reachScrolled();
  addEventListener("resize", reachScrolled);
});
