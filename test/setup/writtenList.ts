// A list of transactions as text, as a page has it.

import { textInSlices } from '../../server/methods/v3/texts/textInSlices.ts'
import { addTransactionList, isEmptyList, type ListedTexts } from '../../server/methods/v3/writtenList.ts'
import { Written } from '../../server/methods/written.ts'

export async function writtenList(list: ListedTexts) {
  const accounts = new Set<string>()
  const pieces = await textInSlices((to) => addTransactionList(list, to, accounts), undefined)
  return { json: new Written(pieces).json, isEmpty: isEmptyList(list), accounts }
}
