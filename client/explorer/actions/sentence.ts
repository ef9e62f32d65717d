// What each type of action did, in one sentence. The compiler holds the table complete: a type of `shared/v3/actionDetails`
// without a line in it does not compile.

import { assetSentences } from './assets.ts'
import { protocolSentences } from './protocols.ts'
import type { ActionIcon, Part, Template, Templates } from './say.ts'

const templates: Templates = { ...assetSentences, ...protocolSentences }

export interface Sentence {
  readonly title: string
  readonly icon: ActionIcon
  readonly parts: readonly Part[]
}

interface AnyAction {
  readonly type: string
  readonly details: object
}

const isListed = (type: string): type is keyof Templates => Object.hasOwn(templates, type)

/** What an action did. A type that a newer service emits is named as it is. */
export function sentenceOf({ type, details }: AnyAction): Sentence {
  if (!isListed(type)) return { title: type.replaceAll('_', ' '), icon: 'call', parts: [type.replaceAll('_', ' ')] }
  const { title, icon, say: template } = templates[type]
  // The cast: the details of an action are those of its type.
  return { title, icon, parts: (template as Template<object>['say'])(details) }
}

/** The sentence as plain text, for titles and tests; accounts and amounts as the caller writes them. */
export const plainSentence = ({ parts }: Sentence, write: (part: Exclude<Part, string>) => string): string =>
  parts.map((part) => (typeof part === 'string' ? part : write(part))).join('')
