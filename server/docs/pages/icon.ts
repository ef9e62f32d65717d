/** The icon of every page, as an address. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b74c4'/%3E%3Cpath d='M8 10h16L16 25z' fill='none' stroke='white' stroke-width='2.5' stroke-linejoin='round'/%3E%3Cpath d='M16 10v15' stroke='white' stroke-width='2.5'/%3E%3C/svg%3E"

/** The same as a file, for browsers that look for one. */
export const iconFile = decodeURIComponent(ICON.slice(ICON.indexOf(',') + 1))
