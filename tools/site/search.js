// The search of the site: a plain script, which also runs on a page that is opened from a folder.
"use strict";
(() => {
  const most = 20;
  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const { root } = document.body.dataset;
  const sections = window.sections.map(([address, page, title, text]) => ({
    address,
    page,
    title,
    lowerTitle: `${page} ${title}`.toLowerCase(),
    lowerText: text.toLowerCase(),
  }));

  /** How well a section fits: a word in a title counts more than one in the text; every word has to be there. */
  const rank = ({ title, lowerTitle, lowerText }, words) => {
    let sum = 0;
    for (const word of words) {
      if (title.toLowerCase() === word) sum += 20;
      if (lowerTitle.includes(word)) sum += 10;
      else if (!lowerText.includes(word)) return 0;
      sum += Math.min(lowerText.split(word).length - 1, 5);
    }
    return sum;
  };

  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const ranked =
      words.length === 0
        ? []
        : sections
            .map((section) => ({ section, points: rank(section, words) }))
            .filter(({ points }) => points > 0)
            .sort((one, other) => other.points - one.points)
            .slice(0, most);
    found.replaceChildren(
      ...ranked.map(({ section }) => {
        const link = document.createElement("a");
        link.href = `${root}/${section.address}`;
        link.textContent = section.title === section.page ? section.page : `${section.page}: ${section.title}`;
        return link;
      }),
    );
  });
})();
