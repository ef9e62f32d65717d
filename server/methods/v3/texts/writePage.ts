// A page as one text: its list, and what is next to it. Texts of their own take a promise and a buffer each, and are copied once more: of
// a short page a twentieth of its time.

import type { Slicing } from '../../../fairness/index.ts'
import type { UnpackedText } from '../../../store/index.ts'
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE } from '../../view/jsonCodes.ts'
import { Written } from '../../written.ts'
import { textInSlices } from './textInSlices.ts'

/** Adds the value of a member. Yields as `textInSlices` requires. */
export type AddMember = (to: UnpackedText) => Generator<boolean>

/** Members of a page: values, or what adds them. Undefined ones are left out. */
export type PageMembers<T extends object> = { readonly [K in keyof T]: T[K] | AddMember }

/** No value of JSON is a function. */
const isAdded = (member: unknown): member is AddMember => typeof member === 'function'

function* addMembers(members: Readonly<Record<string, unknown>>, to: UnpackedText): Generator<boolean> {
  to.byte(OPEN_OBJECT)
  let isFirst = true
  for (const name in members) {
    const member = members[name]
    if (member === undefined) continue
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    to.byte(QUOTE)
    to.ascii(name)
    to.byte(QUOTE)
    to.byte(COLON)
    if (isAdded(member)) yield* member(to)
    else to.string(JSON.stringify(member))
  }
  to.byte(CLOSE_OBJECT)
}

/** Values that are not added must be short. */
export async function writePage<T extends object>(members: PageMembers<T>, slicing: Slicing): Promise<Written<T>> {
  return new Written(await textInSlices((to) => addMembers(members, to), slicing))
}
