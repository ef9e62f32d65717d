// Colours and typefaces of every page, those of the explorer included. A theme the reader has chosen wins over the system's.

const LIGHT = `
  --page: #ffffff; --side: #f6f8fa; --raised: #ffffff; --code: #f4f6f9; --line: #dfe4ea; --soft: #edf0f4;
  --text: #16202c; --quiet: #566474; --accent: #0065ad; --accent-text: #ffffff; --tint: #e7f2fb;
  --good: #116b3c; --good-tint: #e2f4e9; --bad: #b3261e; --bad-tint: #fdebe9; --warn: #8a5a00; --warn-tint: #fdf0d2;
  --get: #0a6b52; --get-tint: #e0f4ec; --post: #8a4b00; --post-tint: #fdf0dc;
  --rpc: #5b3fb5; --rpc-tint: #eeeafb; --j-key: #0a5a9c; --j-text: #12693f; --j-value: #9a3a1f;
`

const DARK = `
  --page: #0f151c; --side: #121a23; --raised: #16202b; --code: #0a1017; --line: #263442; --soft: #1b2733;
  --text: #e3eaf1; --quiet: #9aabbc; --accent: #62b8f5; --accent-text: #08131d; --tint: #16304a;
  --good: #5fd39a; --good-tint: #10301f; --bad: #ff8f85; --bad-tint: #3a1a18; --warn: #f2c063; --warn-tint: #35290f;
  --get: #6bdcb4; --get-tint: #10332a; --post: #f3b765; --post-tint: #38290f;
  --rpc: #b9a5ff; --rpc-tint: #271f47; --j-key: #7cc4ff; --j-text: #86dcae; --j-value: #f2a88f;
`

// Paper is light.
export const designTokens = `
:root { color-scheme: light;${LIGHT}
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
}
@media screen {
  :root[data-theme="dark"] { color-scheme: dark;${DARK}}
}
@media screen and (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) { color-scheme: dark;${DARK}}
}
@media (prefers-contrast: more) {
  :root:root { --quiet: var(--text); --line: var(--text); }
}
`.trimStart()
