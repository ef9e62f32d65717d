// Exit codes in words: those of the TVM, and those by which the usual wallets refuse a message.

const OF_TVM: Readonly<Record<number, string>> = {
  [-14]: 'out of gas before the message was accepted',
  2: 'the stack has too few values',
  3: 'the stack has too many values',
  4: 'an integer overflows',
  5: 'an integer is out of its range',
  6: 'an unknown instruction',
  7: 'a value of another type was expected',
  8: 'a cell has no room for more',
  9: 'the message is shorter than the contract expects',
  10: 'a dictionary is damaged',
  11: 'the message is not one the contract knows',
  13: 'out of gas',
}

const SEQNO = 'the seqno of the message is not the one the wallet expects'
const WALLET_ID = 'the message is for another wallet id'
const SIGNATURE = 'the signature does not fit the key of the wallet'
const EXPIRED = 'the message has expired'
const EXPIRED_OR_SIGNATURE = 'the message has expired, or its signature does not fit the key of the wallet'

const OF_V1 = { 33: SEQNO, 34: SIGNATURE }
const OF_V2 = { 33: SEQNO, 34: SIGNATURE, 35: EXPIRED }
const OF_V3 = { 33: SEQNO, 34: WALLET_ID, 35: EXPIRED_OR_SIGNATURE }
const OF_V4 = { 33: SEQNO, 34: WALLET_ID, 35: SIGNATURE, 36: EXPIRED }
const OF_V5 = {
  132: 'the wallet takes no signed messages, only those of its extensions',
  133: SEQNO,
  134: WALLET_ID,
  135: SIGNATURE,
  136: EXPIRED,
  137: 'each message to send must have mode +2, ignore errors',
  138: 'the body does not begin with the prefix of a signed external message',
  139: 'the extension is installed already',
  140: 'the extension is not installed',
  141: 'an action the wallet does not have',
  142: 'signed messages cannot be switched off while there is no extension',
  143: 'the signature mode is set already',
  144: 'the last extension cannot be removed while signed messages are switched off',
  145: 'an extension must be in the workchain of the wallet',
  146: 'only an extension may change the signature mode',
  147: 'the list of messages to send is malformed',
}

const OF_WALLETS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  wallet_v1r1: OF_V1,
  wallet_v1r2: OF_V1,
  wallet_v1r3: OF_V1,
  wallet_v2r1: OF_V2,
  wallet_v2r2: OF_V2,
  wallet_v3r1: OF_V3,
  wallet_v3r2: OF_V3,
  wallet_v4r1: OF_V4,
  wallet_v4r2: OF_V4,
  wallet_v5r1: OF_V5,
}

/** What an exit code means, of a wallet by the name of its interface; null for a code only its contract knows. */
export const exitCodeText = (code: number, interfaceName: string | null): string | null =>
  (interfaceName === null ? undefined : OF_WALLETS[interfaceName]?.[code]) ?? OF_TVM[code] ?? null
