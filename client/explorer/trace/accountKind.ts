// What kind of contract an account is, as its interfaces say.

/** One wallet is known by its code. A list of several is of get-methods, which other contracts have too. */
const KINDS = /jetton_(?:wallet|master)|nft_(?:sale|auction|collection|item)|pool|multisig|^wallet(?=_[^,]*$)/

/** Such as `jetton wallet`; empty when they do not say it. */
export const kindOf = (interfaces: readonly string[]): string =>
  KINDS.exec(interfaces.join())?.[0].replace('_', ' ').replace('nft', 'NFT') ?? ''

/** `JW` of `jetton wallet`, for where there is no room for it. */
export const lettersOf = (kind: string): string => kind.replace(/(\w)\w* ?/g, '$1').toUpperCase()
