// Options that JavaScript misspells: a key that is not read costs its owner the limits of a caller without one.

const NAMES = ['url', 'apiKey', 'headers', 'fetch', 'stream', 'transport', 'batch', 'retry', 'timeoutMs', 'reconnect']

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '').replace(/ms$/, '')

/** Throws TypeError for a name that is one of ours but for its case, a `_` or a `Ms`. Others are ignored. */
export function checkNames(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const meant = NAMES.find((known) => plain(known) === plain(name)) ?? name
    if (value !== undefined && !Object.hasOwn(options, meant))
      throw new TypeError(`${name} is not an option: write ${meant}`)
  }
}
