// Filters the list of all rules by words: each word has to be in the row.
document.addEventListener("DOMContentLoaded", () => {
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
});
