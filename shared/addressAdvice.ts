// What is wrong with a text that is no address, for the developer who sent it.

import { fromBase64 } from './base64.ts'

const FRIENDLY = 48
const RAW_DIGITS = 64
const FORMS = `48 characters such as EQ..., or raw like 0:<${RAW_DIGITS} hex digits>`

export function adviceOnAddress(text: string): string {
  if (text === '') return `Name the account: ${FORMS}.`
  if (/\.(ton|t\.me)$/i.test(text))
    return 'A name is not an address: resolve it with dnsResolve or v3.dns.records first.'
  const raw = /^(-?\d+):([0-9a-f]*)$/i.exec(text)
  if (raw !== null) {
    const digits = raw[2]?.length ?? 0
    return digits === RAW_DIGITS
      ? `There is no workchain ${raw[1]?.slice(0, 12)}: 0 is the basechain, -1 the masterchain.`
      : `A raw address has ${RAW_DIGITS} hex digits behind the colon, this one has ${digits}.`
  }
  if (/^[0-9a-f]{64}$/i.test(text)) return 'Put the workchain in front of the hash: 0:<hash>.'
  if (!/^[\w+/ =-]+$/.test(text)) return `An address is ${FORMS}.`
  if (text.length !== FRIENDLY)
    return text.length < 8
      ? `An address is ${FORMS}.`
      : `A friendly address has 48 characters, this one has ${text.length}.`
  return fromBase64(text.replaceAll(' ', '+')) === null
    ? 'An address is base64 of one alphabet, with + and / or with - and _.'
    : 'Its checksum does not fit: a character is wrong; copy the address again.'
}
