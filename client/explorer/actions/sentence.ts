// What each type of action did, in one sentence. The compiler holds the table complete: a type of `shared/v3/actionDetails`
// without a line in it does not compile.

import type { ActionDetails } from '../../../shared/v3/action.ts'
import { type IconName, iconOf } from './ActionIcon.tsx'
import { assetSentences } from './assetSentences.ts'
import { protocolSentences } from './protocols.ts'
import { type Part, say, type Template, type Templates, ton, who } from './say.ts'

const templates: Templates = { ...assetSentences, ...protocolSentences }

export interface SaidAction {
  readonly title: string
  readonly icon: IconName
  readonly parts: readonly Part[]
}

interface AnyAction {
  readonly type: string
  readonly details: object
}

const isListed = (type: string): type is keyof Templates => Object.hasOwn(templates, type)

/** In front of a message that comes back: of its first bits, of a whole one, and of a stake that the elector refuses. */
const BACK = ['0xffffffff', '0xfffffffe', '0xee6f454c']

interface BackCall extends AnyAction {
  readonly details: ActionDetails['call_contract']
}

function isBack(action: AnyAction): action is BackCall {
  const { opcode }: Partial<BackCall['details']> = action.details
  return action.type === 'call_contract' && BACK.includes(opcode ?? '')
}

/** What an action did. A type that a newer service emits is named as it is. */
export function sentenceOf(action: AnyAction): SaidAction {
  const { type, details } = action
  if (isBack(action)) {
    const { source, destination, value } = action.details
    return {
      title: 'Sent back',
      icon: 'back',
      parts: say`${who(source)} sent ${ton(value)} back to ${who(destination)}`,
    }
  }
  if (!isListed(type)) return { title: type.replaceAll('_', ' '), icon: 'sent', parts: [type.replaceAll('_', ' ')] }
  const { title, say: template } = templates[type]
  // The cast: the details of an action are those of its type.
  return { title, icon: iconOf(type), parts: (template as Template<object>['say'])(details) }
}
