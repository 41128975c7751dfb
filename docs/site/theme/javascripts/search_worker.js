// Searches in place of the theme's worker, which pages opened from files may not start, and answers
// the theme's messages.  Pages with all words of the query come first, then titles before text.
(() => {
"use strict";

const kSetup = 0, kReady = 1, kQuery = 2, kResult = 3;  // kinds of messages
const kSkipped = new Set(("a an and are as at be by can do does for from get handle how i if in " +
  "is it make my not of on or the there this to use what when where which why with").split(" "));
const kLater = /^(project|notes|results)\//;  // for contributors, and measurements

// A word matches all words that begin with its stem; one or two letters match themselves alone.
function regexpOf(word) {
  const stem = word.replace(/^(.{4,})(es|ed|ing)$|^(.{2,}[^s])s$/, "$1$3");
  const end = word.length < 3 ? "(?![\\p{L}\\p{N}_])" : "[\\p{L}\\p{N}_]*";
  return new RegExp(`(^|[^\\p{L}\\p{N}_])(${stem}${end})`, "giu");
}

// The words of a query; the hyphens before an option belong to it.
function wordsOf(query) {
  const all = query.toLowerCase().split(/\s+/).flatMap((part) =>
    (part.match(/[\p{L}\p{N}_]+/gu) || [])
      .map((word, i) => (i === 0 ? /^-{0,2}/.exec(part)[0] : "") + word));
  const words = all.filter((word) => !kSkipped.has(word));
  return [...new Set(words.length > 0 ? words : all)];
}

// Pages with their parts: the beginning, with the page's title and heading, and the sections.
function pagesOf(docs) {
  const pages = new Map();
  for (const {location, title, text, words = ""} of docs) {
    const [path, place] = location.split("#"), page = pages.get(path);
    if (!place) pages.set(path, [{location, title, text, names: [title, words]}]);
    else if (page[0].names.length === 2) {  // its heading
      page[0].text = text;
      page[0].names.push(title, words);
    } else page.push({location, title, text, names: [title, words, page[0].title]});
  }
  return [...pages.values()];
}

const count = (text, regexp) => (text.match(regexp) || []).length;

// Which words a part of a page has, in its names and in its text, and how well they fit.
function fitOf(part, words) {
  const hits = words.map(({regexp}) => part.names.map((name) => count(name, regexp) > 0));
  const counts = words.map(({regexp}) => count(part.text, regexp));
  const found = words.map((_, i) => counts[i] > 0 || hits[i].includes(true));
  const share = hits.every(([, listed]) => listed) ? 1 :
    hits.filter(([title]) => title).length / wordsOf(part.title).length;
  const whole = part.location.includes("#") ? 0 : 2;
  const score = words.reduce((sum, {weight}, i) => sum + weight *
    (counts[i] / (counts[i] + 1 + part.text.length / 1000) + (20 + whole) * hits[i].includes(true) +
     4 * (hits[i][0] || hits[i][1])), (8 + whole) * share);
  return {part, found, score};
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const marked = (text, words) =>
  escaped(words.reduce((all, {regexp}) => all.replace(regexp, "$1\u0001$2\u0002"), text))
    .replace(/\u0001/g, "<mark>").replace(/\u0002/g, "</mark>");

// The text around the first match of the rarest word; the theme cuts HTML that is longer.
function excerpt(text, words) {
  const kMost = 320, kBefore = 60;
  const rarest = [...words].sort((a, b) => b.weight - a.weight)
    .find(({regexp}) => count(text, regexp) > 0);
  const from = rarest ? text.search(rarest.regexp) - kBefore : 0;
  const start = from > 0 ? text.indexOf(" ", from) + 1 : 0;
  for (let size = kMost - 40; ; size -= 20) {
    const html = (start ? "… " : "") + marked(text.slice(start, start + size), words);
    if (html.length < kMost || size < 40) return html;
  }
}

function search(pages, query) {
  const words = wordsOf(query).map((word) => ({word, regexp: regexpOf(word)}));
  for (const each of words) {
    const having = pages.filter((parts) => parts.some(({text, names}) =>
      count([text, ...names].join("\n"), each.regexp) > 0));
    each.weight = Math.log(1 + pages.length / (1 + having.length));
  }
  const sum = (found) => found.reduce((a, b) => a + b, 0);
  return pages.map((parts) => {
    const fits = parts.map((part) => fitOf(part, words));
    const onPage = sum(words.map((_, i) => fits.some(({found}) => found[i])));
    const [page, ...sections] = fits.map(({part, found, score}) => ({
      location: part.location, title: marked(part.title, words), text: excerpt(part.text, words),
      terms: Object.fromEntries(words.map(({word}, i) => [word, found[i]])),
      fits: found.includes(true),
      score: (onPage * 50 + sum(found)) * 1e4 + score * (kLater.test(part.location) ? 0.5 : 1),
    }));
    // The theme shows the page above its sections, and folds those that fit less than the page.
    const shown = sections.filter((each) => each.fits).sort((a, b) => b.score - a.score);
    page.score = Math.max(page.score, ...shown.map(({score}) => score));
    return shown.length > 0 && shown[0].score === page.score ? [shown[0], page, ...shown.slice(1)] :
      page.fits ? [page, ...shown] : [];
  }).filter((items) => items.length > 0).sort((a, b) => b[0].score - a[0].score);
}

window.Worker = class extends EventTarget {
  pages = [];  // until the index is there

  postMessage({type, data}) {
    if (type === kSetup) this.pages = pagesOf(data.docs);
    const answer = type === kSetup ? {type: kReady} :
      {type: kResult, data: {items: search(this.pages, data)}};
    setTimeout(() => this.dispatchEvent(new MessageEvent("message", {data: answer})));
  }
};
})();
