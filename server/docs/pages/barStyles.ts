// The bar on top of every page, as the explorer and the reference show it.

export const barStyles = `
.for-readers,
.skip:not(:focus) {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
.skip:focus {
  position: absolute;
  left: 0.5rem;
  top: 0.5rem;
  z-index: 5;
  padding: 0.5rem 1rem;
  background: var(--accent);
  color: var(--accent-text);
  border-radius: 6px;
}
.top {
  position: sticky;
  top: 0;
  z-index: 3;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.4rem 0.75rem;
  padding: 0.5rem 1.5rem;
  background: var(--page);
  border-bottom: 1px solid var(--line);
}
.brand {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  /* As high as the button in its row, which a browser may draw later. */
  min-height: 2.05rem;
  font-weight: 650;
  color: var(--text);
}
.brand:hover {
  text-decoration: none;
}
.network {
  padding: 0.05rem 0.6rem;
  border-radius: 99px;
  background: var(--tint);
  color: var(--accent);
  font-size: 0.8125rem;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}
.network.stale {
  background: var(--bad-tint);
  color: var(--bad);
}
.search {
  flex: 1 1 16rem;
  max-width: 38rem;
}
.top nav {
  margin-left: auto;
}
.top nav ul {
  display: flex;
  gap: 0.125rem;
  margin: 0;
  padding: 0;
  list-style: none;
}
.brand,
.top nav a {
  text-decoration: none;
}
.top nav a {
  display: block;
  padding: 0.35rem 0.6rem;
  border-radius: 6px;
  color: var(--quiet);
}
.top nav a:hover {
  background: var(--soft);
  color: var(--text);
  text-decoration: none;
}
.top nav a[aria-current] {
  color: var(--accent);
  background: var(--tint);
}
.top .icon-button {
  padding: 0.35rem 0.6rem;
  border: 0;
  background: none;
  color: var(--quiet);
  font: 0.9375rem/1.4 var(--sans);
}
/* Its room is there before its script. */
.top .icon-button[hidden] {
  display: block;
  visibility: hidden;
}
.top .icon-button:hover {
  background: var(--soft);
  color: var(--text);
  filter: none;
}
/* Where a browser replaces all colours. */
@media (forced-colors: active) {
  .top nav a[aria-current] {
    text-decoration: underline;
  }
}
@media (max-width: 55rem) {
  .top {
    position: static;
    padding: 0.5rem 1rem;
  }
  .top nav {
    flex: 1 1 100%;
    min-width: 0;
    margin: 0 -1rem;
    padding: 0 0.4rem;
    overflow-x: auto;
    scroll-padding: 0 4rem;
    order: 5;
  }
  /* What scrolls sideways has a shadow at the edge behind which there is more; its own ends cover it. */
  .top nav,
  .scroll,
  .tabs {
    --edge: color-mix(in srgb, var(--quiet) 35%, transparent);
    background:
      linear-gradient(90deg, var(--under, var(--page)) 1rem, transparent 2rem) local,
      linear-gradient(-90deg, var(--under, var(--page)) 1rem, transparent 2rem) local,
      linear-gradient(90deg, var(--edge), transparent 0.75rem),
      linear-gradient(-90deg, var(--edge), transparent 0.75rem);
  }
  .top nav a {
    white-space: nowrap;
  }
  .search {
    flex-basis: 100%;
    order: 4;
  }
  .icon-button {
    margin-left: auto;
  }
  .top nav a,
  button.icon-button {
    padding: 0.6rem;
  }
}
`.trimStart()
