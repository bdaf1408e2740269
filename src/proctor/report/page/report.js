"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const TEST = 1, FAILED = 2, MASKED = 4, MASKING = 8, NAMED = 16, ENDED = 32;
  const ROW = 34, AROUND = 8, PRINTED = 500;

  // ── what works without the tree ────────────────────────────────────────────
  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
  const theme = $("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  let dark = prefersDark.matches;
  const nameTheme = () => { theme.textContent = dark ? "Light" : "Dark"; };
  theme.hidden = false;
  nameTheme();
  theme.addEventListener("click", () => {
    dark = !dark;
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
    nameTheme();
  });

  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    for (const one of unfolded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of unfolded) one.open = false;
  });

  // ── search and filters of the lists ────────────────────────────────────────
  const FEWEST = 4;
  for (const tools of document.querySelectorAll("[data-list]")) {
    const items = [...$(tools.dataset.list).children].filter((one) => one.dataset.kind);
    if (items.length < FEWEST) continue;
    const status = tools.querySelector("[role=status]"), input = tools.querySelector("input");
    const choices = [...tools.querySelectorAll("[data-kind]")];
    if (choices.length < 2) tools.querySelector(".filters").hidden = true;
    let texts = null, kind = "", asked = "", later = 0;
    const show = () => {
      texts ??= items.map((one) => one.textContent.toLowerCase());
      let found = 0;
      items.forEach((one, i) => {
        one.hidden = !((!kind || one.dataset.kind === kind) && texts[i].includes(asked));
        found += one.hidden ? 0 : 1;
      });
      const all = `${items.length.toLocaleString("en")} ${tools.dataset.what}`;
      status.textContent = found === items.length ? all : `${found.toLocaleString("en")} of ${all}`;
    };
    for (const choice of choices) choice.addEventListener("click", () => {
      kind = choice.dataset.kind;
      for (const one of choices) one.setAttribute("aria-pressed", String(one === choice));
      show();
    });
    input.addEventListener("input", () => {
      clearTimeout(later);
      later = setTimeout(() => { asked = input.value.trim().toLowerCase(); show(); }, 120);
    });
    tools.hidden = false;
    show();
  }

  // ── the records ────────────────────────────────────────────────────────────
  const data = JSON.parse($("records").textContent);
  const grid = $("grid"), rows = $("rows");
  const count = data.id.length;
  if (!grid || !count) return;
  const text = (place) => (place < 0 ? "" : data.strings[place]);
  const parent = new Int32Array(count), size = new Int32Array(count);
  {
    const open = [];
    for (let i = 0; i < count; i++) {
      while (open.length && (data.run[open.at(-1)] !== data.run[i] || data.depth[open.at(-1)] >= data.depth[i])) open.pop();
      parent[i] = open.length ? open.at(-1) : -1;
      open.push(i);
    }
    for (let i = count - 1; i >= 0; i--) if (parent[i] >= 0) size[parent[i]] += size[i] + 1;
  }
  const places = new Map(data.id.map((id, i) => [id, i]));
  const closed = new Uint8Array(count);
  const kept = new Uint8Array(count);
  let shown = new Int32Array(count), length = 0;
  let filter = "all", query = "", chosen = -1;

  let lowered = null;
  const isWanted = (i) => {
    const flags = data.flags[i];
    if (filter === "tests" && !(flags & TEST)) return false;
    if (filter === "failing" && !(flags & FAILED)) return false;
    if (filter === "masked" && !(flags & (MASKED | MASKING))) return false;
    if (filter === "named" && !(flags & NAMED)) return false;
    if (!query) return true;
    lowered ??= data.strings.map((one) => one.toLowerCase());
    if (data.id[i] === query) return true;
    for (const place of [data.cmd[i], data.argv[i], data.cls[i], data.cwd[i]]) {
      if (place >= 0 && lowered[place].includes(query)) return true;
    }
    return query.startsWith("exit ") && lowered[data.end[i]].endsWith(query.slice(4));
  };
  const isNarrowed = () => filter !== "all" || query !== "";

  const refresh = () => {
    let found = count;
    if (isNarrowed()) {
      found = 0;
      kept.fill(0);
      for (let i = count - 1; i >= 0; i--) {
        if (isWanted(i)) { kept[i] = 1; found++; }
        if (kept[i] && parent[i] >= 0) kept[parent[i]] = kept[parent[i]] || 2;
      }
    }
    length = 0;
    for (let i = 0; i < count; i++) {
      if (isNarrowed() && !kept[i]) continue;
      shown[length++] = i;
      if (closed[i] && !isNarrowed()) i += size[i];
    }
    const all = `${count.toLocaleString("en")} ${count === 1 ? "process" : "processes"}`;
    $("shown").textContent = isNarrowed() ? `${found.toLocaleString("en")} of ${all}` : all;
    rows.style.height = `${length * ROW}px`;
    grid.style.height = `${Math.max(length, 1) * ROW + 2}px`;
    grid.setAttribute("aria-rowcount", String(length));
    draw();
  };

  // ── rows, only those in view ───────────────────────────────────────────────
  const element = (name, kind, content) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    if (content !== undefined) made.textContent = content;
    return made;
  };
  const state = (i) => (data.flags[i] & ENDED ? (text(data.end[i]).startsWith("?") ? "lost" : data.flags[i] & FAILED ? "bad" : "good") : "on");
  const took = (ms) => (ms === null ? "" : ms < 1000 ? `${ms} ms` : ms < 100000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60000)} m ${String(Math.round((ms % 60000) / 1000)).padStart(2, "0")} s`);
  const cell = (kind) => {
    const made = element("div", `cell ${kind}`);
    made.setAttribute("role", "gridcell");
    return made;
  };

  const make = (at) => {
    const i = shown[at], flags = data.flags[i];
    const row = element("div", "row");
    row.id = `row-${i}`;
    row.setAttribute("role", "row");
    row.setAttribute("aria-level", String(data.depth[i] + 1));
    row.setAttribute("aria-rowindex", String(at + 1));
    row.setAttribute("aria-selected", String(i === chosen));
    if (size[i]) row.setAttribute("aria-expanded", String(isNarrowed() || !closed[i]));
    row.classList.toggle("chosen", i === chosen);
    row.classList.toggle("first", parent[i] < 0 && at > 0);
    row.style.top = `${at * ROW}px`;
    const name = cell("name");
    name.style.paddingInlineStart = `${Math.min(data.depth[i], 20) * 1.1}rem`;
    const twist = element("span", "twist", size[i] ? (isNarrowed() || !closed[i] ? "▼" : "▶") : "");
    twist.setAttribute("aria-hidden", "true");
    const code = element("code", "", text(data.cmd[i]));
    code.title = text(data.argv[i]) || text(data.cmd[i]);
    name.append(twist, element("span", `end ${state(i)}`, text(data.end[i])), code);
    if (flags & MASKED) name.append(element("span", "tag", "masked"));
    if (flags & MASKING) name.append(element("span", "tag", "told 0"));
    const what = cell("what");
    what.textContent = text(data.tests[i]) || text(data.cls[i]);
    const track = cell("track");
    const bar = element("div", `bar ${state(i)}`);
    const whole = data.runs[data.run[i]][1];
    bar.style.left = `${Math.min((data.at[i] / whole) * 100, 99.5)}%`;
    bar.style.width = `${Math.min(((data.ms[i] ?? 0) / whole) * 100, 100)}%`;
    track.append(bar);
    const last = cell("took");
    last.textContent = took(data.ms[i]);
    row.append(name, what, track, last);
    row.dataset.at = String(at);
    return row;
  };

  const draw = () => {
    const first = Math.max(Math.floor(grid.scrollTop / ROW) - AROUND, 0);
    const end = Math.min(first + Math.ceil(grid.clientHeight / ROW) + 2 * AROUND, length);
    const made = [];
    for (let at = first; at < end; at++) made.push(make(at));
    rows.replaceChildren(...made);
    const active = chosen >= 0 && $(`row-${chosen}`);
    if (active) grid.setAttribute("aria-activedescendant", active.id);
    else grid.removeAttribute("aria-activedescendant");
  };

  let waiting = false;
  grid.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }, { passive: true });
  addEventListener("resize", draw);

  // ── choosing, opening, closing ─────────────────────────────────────────────
  const placeOf = (i) => {
    let low = 0, high = length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (shown[middle] === i) return middle;
      if (shown[middle] < i) low = middle + 1; else high = middle - 1;
    }
    return -1;
  };
  const tell = (i) => {
    const list = element("dl");
    const facts = [
      ["command", text(data.argv[i]) || text(data.cmd[i])], ["ended", text(data.end[i])],
      ["started by", parent[i] < 0 ? "" : text(data.cmd[parent[i]])], ["folder", text(data.cwd[i])],
      ["started", text(data.when[i])], ["took", took(data.ms[i])], ["class", text(data.cls[i])],
      ["tests", text(data.tests[i])], ["span", data.id[i]],
    ];
    for (const [name, value] of facts) {
      if (!value) continue;
      const there = element("dd");
      there.append(element("code", "", value));
      list.append(element("dt", "", name), there);
    }
    $("detail").replaceChildren(list);
    $("detail").hidden = false;
  };
  const choose = (at) => {
    if (at < 0 || at >= length) return;
    chosen = shown[at];
    const top = at * ROW;
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + ROW > grid.scrollTop + grid.clientHeight) grid.scrollTop = top + ROW - grid.clientHeight;
    draw();
    tell(chosen);
  };
  const fold = (i, to) => {
    if (!size[i] || isNarrowed()) return;
    closed[i] = to ? 1 : 0;
    refresh();
  };
  rows.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    const at = Number(row.dataset.at);
    const i = shown[at];
    if (event.target.classList.contains("twist")) fold(i, !closed[i]);
    choose(placeOf(i));
  });
  grid.addEventListener("keydown", (event) => {
    const at = chosen < 0 ? -1 : placeOf(chosen);
    const page = Math.max(Math.floor(grid.clientHeight / ROW) - 1, 1);
    const moves = {
      ArrowDown: () => choose(Math.min(at + 1, length - 1)), ArrowUp: () => choose(Math.max(at - 1, 0)),
      PageDown: () => choose(Math.min(at + page, length - 1)), PageUp: () => choose(Math.max(at - page, 0)),
      Home: () => choose(0), End: () => choose(length - 1),
      ArrowRight: () => {
        if (at < 0) return;
        if (closed[chosen] && !isNarrowed()) fold(chosen, false);
        else if (size[chosen]) choose(at + 1);
      },
      ArrowLeft: () => {
        if (at < 0) return;
        if (size[chosen] && !closed[chosen] && !isNarrowed()) fold(chosen, true);
        else if (parent[chosen] >= 0) choose(placeOf(parent[chosen]));
      },
      Enter: () => { if (at >= 0) fold(chosen, !closed[chosen]); },
    };
    if (!moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    moves[event.key]();
  });

  // ── search and filters ─────────────────────────────────────────────────────
  const buttons = [...document.querySelectorAll("[data-filter]")];
  const setFilter = (name) => {
    filter = name;
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.filter === name));
    grid.scrollTop = 0;
    refresh();
  };
  for (const one of buttons) one.addEventListener("click", () => setFilter(one.dataset.filter));
  let typing = 0;
  $("search").addEventListener("input", (event) => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      query = event.target.value.trim().toLowerCase();
      grid.scrollTop = 0;
      refresh();
    }, 120);
  });
  for (const button of document.querySelectorAll(".show")) {
    const i = places.get(button.dataset.span);
    if (i === undefined) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      query = $("search").value = "";
      for (let above = parent[i]; above >= 0; above = parent[above]) closed[above] = 0;
      setFilter("all");
      $("tree").scrollIntoView();
      grid.focus({ preventScroll: true });
      choose(placeOf(i));
    });
  }

  // ── paper ──────────────────────────────────────────────────────────────────
  addEventListener("beforeprint", () => {
    const made = [];
    for (let at = 0; at < Math.min(length, PRINTED); at++) made.push(make(at));
    if (length > PRINTED) made.push(element("p", "", `and ${(length - PRINTED).toLocaleString("en")} more processes`));
    rows.replaceChildren(...made);
  });
  addEventListener("afterprint", draw);

  for (const id of ["grid", "tools", "keys"]) $(id).hidden = false;
  refresh();
})();
