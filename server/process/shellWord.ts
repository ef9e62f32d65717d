const PLAIN = /^[\p{L}\p{N}_./:@%+,=-]+$/u

/** A word of a command line that is printed to be copied: in quotes where a shell would split or change it. */
export const shellWord = (word: string): string => {
  if (PLAIN.test(word)) return word
  // On Windows a backslash separates folders, and quotes keep it as it is.
  return `"${process.platform === 'win32' ? word : word.replace(/["\\$`]/g, '\\$&')}"`
}
