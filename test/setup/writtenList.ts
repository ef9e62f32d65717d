// Transactions as text, as a page has them.

import { addText } from '../../server/methods/v3/texts/storedText.ts'
import { textInSlices } from '../../server/methods/v3/texts/textInSlices.ts'
import { addTransactionList, isEmptyList, type ListedTexts } from '../../server/methods/v3/written/writtenList.ts'
import type { WrittenPart } from '../../server/methods/v3/written/writtenTransactions.ts'
import { LargeText } from '../../server/methods/view/v3/transaction.ts'
import { Written } from '../../server/methods/written.ts'
import { UnpackedText } from '../../server/store/index.ts'

export async function writtenList(list: ListedTexts) {
  const accounts = new Set<string>()
  const pieces = await textInSlices((to) => addTransactionList(list, to, accounts), undefined)
  return { json: new Written(pieces).json, isEmpty: isEmptyList(list), accounts }
}

const page = new UnpackedText()

export function jsonOf(text: WrittenPart['text']): string {
  if (text instanceof LargeText) return [...text.pieces()].join('')
  if (text instanceof Written) return text.json
  page.begin()
  addText(text, page)
  return page.take()
}
