// Secrets of wallets that a person may paste where a search is meant: they are neither sent nor kept.

/** Twelve words of 3 to 8 letters, as the lists have that phrases are of, with numbers and signs between them or not. */
const PHRASE = /(?:(?<!\p{L})[a-z]{3,8}(?!\p{L})(?:[\s\d.,;|"'`()[\]*•·-]|(?<=\d):){0,12}){12}/iu
/** 64 bytes, as no hash has: a private key with its public one. Bags of cells can be as long. */
const HEX_KEY = /(?<![\da-z])(?!b5ee9c72)(?:0x)?[\da-f]{128}(?![\da-z])/i
const BASE64_KEY = /(?<![\w+/.:-])(?!te6c)[\w+/-]{86}(?:==)?(?![\w+/.=-])/
/** 32 bytes are taken for a hash, unless they are called a key. */
const NAMED_KEY = /(?:private|secret)[\s_-]?key\P{L}{1,9}[\w+/-]{43,}/iu

/** A bag of cells in base64 has words of a phrase by chance, with digits between them. */
const BAG = /^\s*te6c/

/** Whether a text has the phrase of a wallet or its private key in it. */
export const isSecret = (text: string): boolean =>
  !BAG.test(text) && [PHRASE, HEX_KEY, BASE64_KEY, NAMED_KEY].some((form) => form.test(text))

/** Query parameter of the page that follows a search for a secret: it gives the reason, and the secret is not in its address. */
export const REFUSED = 'refused'

export const SECRET_REFUSED =
  'This looks like the secret words or the private key of a wallet: it is neither searched for nor kept. Anyone who has them controls the wallet. Do not paste them into any web page.'
