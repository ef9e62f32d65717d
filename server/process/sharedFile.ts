// Files that have a second name, in a folder that was copied by links (`cp -al`): what is written into them changes the copy, too.

import type { Stats } from 'node:fs'

/** Why nothing may be written into such a file, with the remedy; null for a file of one name. Not for files that are replaced whole. */
export const whyShared = (path: string, { nlink }: Pick<Stats, 'nlink'>): string | null =>
  nlink > 1
    ? `${path} is a file of another folder, too, as cp -al makes it, and both would be spoiled: make a copy of the whole data ` +
      'folder with cp -Rp and start in that, or remove the other folder'
    : null
