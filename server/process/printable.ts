/** A stranger's text for a terminal: nothing in it moves the cursor, or turns the line around. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
