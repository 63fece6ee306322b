// Order of search results: whoever searches a word wants a guide or a reference first, not the reason for a decision or a file.
var PLACES = [[/^(start|guides)\//, 7], [/^(decisions|facts|source|project)\/|^(changelog|architecture|contributing)$/, -8]];
var Scorer = { // Sphinx declares it in the same way where it is missing
  score: ([page, , , , score]) => score + PLACES.reduce((sum, [place, more]) => sum + (place.test(page) ? more : 0), 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
