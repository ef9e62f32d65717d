// A list that may be of a hundred thousand items, as JSON: written in slices, with yields to the event loop between them.

import { inSlices, SlicedWork } from '../../fairness/index.ts'

/** Texts that are joined at once. */
const GROUP = 1000

/** The text of an object with one member, the list of what `toJson` makes of the items. */
export async function longList<T>(
  member: string,
  items: readonly T[],
  { toJson, subject }: { readonly toJson: (item: T) => unknown; readonly subject: string },
): Promise<string> {
  const slices = new SlicedWork({ subject })
  const texts = await inSlices(items, (item) => JSON.stringify(toJson(item)), slices)
  let list = ''
  for (let from = 0; from < texts.length; from += GROUP) {
    list += `${from === 0 ? '' : ','}${texts.slice(from, from + GROUP).join()}`
    if (slices.isDue) await slices.rest()
  }
  return `{${JSON.stringify(member)}:[${list}]}`
}
