// What a text in the search box is, in words, while it is typed.

import { parseAddress } from '../../../shared/address.ts'
import { type Recognised, searchedText } from '../../../shared/explorer/classifyText.ts'
import { LONGEST_SEARCH } from '../../../shared/explorer/toolQueries.ts'
import type { Network } from '../../../shared/network.ts'

function addressWords(text: string, network: Network): string {
  const address = parseAddress(text)
  const here = network === 'custom' ? 'this network' : network
  if (address === null) return `${text} is an account of ${here}.`
  if (address.form === 'raw') return `This is an address of ${here}, in its raw form.`
  const kind = address.bounceable ? 'bounceable' : 'not bounceable'
  if (!address.testOnly) return `This is an address, ${kind}.`
  const other = network === 'mainnet' ? ' This network is mainnet.' : ''
  return `This is an address of test networks, ${kind}.${other}`
}

/** Null for a text that can only be a name. */
export function recognisedWords(found: Recognised, input: string, network: Network): string | null {
  const text = searchedText(input)
  if (found.kind === 'boc') return `This is a bag of cells: ${found.words.replace(/^.*, /, '')}.`
  if (found.kind === 'empty') return null
  if (text.length > LONGEST_SEARCH) return 'This is too long to search for.'
  switch (found.kind) {
    case 'account':
      return addressWords(text, network)
    case 'hash':
      return 'This is a hash: of a transaction, message, trace, block or code.'
    case 'block':
      return /^\d+$/.test(text) ? `This may be masterchain block ${found.block.seqno}.` : `This is the id of a block.`
    case 'domain':
      return 'This is a domain.'
    case 'opcode':
      return `This is an opcode: ${found.opcode}.`
    case 'method':
      return `This is a method of the service.`
    case 'wrong':
      return found.words
    case 'text':
      return null
  }
}
