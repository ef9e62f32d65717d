// Origins of pages, as the header Origin of a browser has them: they are compared letter by letter.

/** A path or a wildcard would never match. */
export const isOrigin = (item: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/\s*]+$/.test(item)

export const isOriginOrAny = (item: string): boolean => item === '*' || isOrigin(item)

/** A browser writes hosts in small letters, and leaves out the usual port. */
export const asBrowsersSend = (item: string): string =>
  /^https?:/.test(item) && URL.canParse(item) ? new URL(item).origin : item
