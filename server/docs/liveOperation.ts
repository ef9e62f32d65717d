// What operations of the document of v3 share that are no methods of the registry: streams and webhooks.

import { STREAM_TYPE_NAMES, STREAM_TYPES } from '../../shared/subscribable.ts'

export const jsonContent = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
export const textSchema = { type: 'string' } as const
export const texts = { type: 'array', items: textSchema } as const
export const integer = { type: 'integer' } as const
/** One that can exceed 32 bits. */
export const longInteger = { type: 'integer', format: 'int64' } as const
export const boolean = { type: 'boolean' } as const

/** The same schema with words about what it stands for. */
export const about = <S extends object>(description: string, schema: S) => ({ ...schema, description })

export const fields = (properties: Readonly<Record<string, object>>) => ({ type: 'object', properties }) as const
export const listOf = (description: string, items: object) => about(description, { type: 'array', items })

export interface LiveOperation {
  readonly id: string
  readonly tag: string
  readonly summary: string
  /** When to use it, and what it costs. */
  readonly description: string
  readonly body?: object
  readonly example?: unknown
  readonly answer: object
  readonly parameters?: readonly object[]
}

export const refusedAs = (description: string, schema: string) => ({
  description,
  content: jsonContent({ $ref: `#/components/schemas/${schema}` }),
})

export const parameter = (place: 'path' | 'query', name: string, description: string, schema: object = integer) => ({
  name,
  in: place,
  required: place === 'path',
  description,
  schema,
})

/** `error` names the schema of a refusal. */
export function liveOperation(operation: LiveOperation, error: string) {
  const { id, tag, summary, description, body, example, answer, parameters = [] } = operation
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body, example) } }),
    responses: {
      200: { description: 'OK', content: jsonContent(answer) },
      401: refusedAs('No key, or one that does not exist.', error),
      403: refusedAs('The key is of another network.', error),
      404: refusedAs('It does not exist, or belongs to another key.', error),
      ...(body === undefined ? {} : { 413: refusedAs('The body is too large.', error) }),
      422: refusedAs('A field is wrong; the text names it.', error),
      429: refusedAs('The budget is used up.', error),
    },
  }
}

const listed = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

const WITH_ADDRESSES = STREAM_TYPES.flatMap(({ name, needs }) => (needs === 'addresses' ? [name] : []))

/** A subscription, of a stream and of a webhook. */
export const SUBSCRIPTION = {
  type: 'object',
  required: ['types'],
  properties: {
    types: {
      description: 'Kinds of notifications.',
      type: 'array',
      items: {
        enum: [...STREAM_TYPE_NAMES, 'trace_invalidated'],
      },
    },
    addresses: about(
      `Accounts, in any form, or \`*\` alone for all where the key may; needed by ${listed(WITH_ADDRESSES)}.`,
      texts,
    ),
    trace_external_hash_norms: about('For `trace`: hashes of sent messages.', texts),
    opcodes: about(
      'For `messages`: first 32 bits of bodies, as hex digits or numbers. With `addresses` the messages of these alone, else of all accounts, where the key may.',
      { type: 'array', maxItems: 1000, items: { anyOf: [textSchema, integer] } },
    ),
    min_finality: {
      description: 'What is less certain is left out.',
      enum: ['pending', 'confirmed', 'finalized'],
      default: 'finalized',
    },
    action_types: about('Actions of these types only.', texts),
    supported_action_types: about('Action types the reader understands.', texts),
    include_address_book: about('Adds the names of accounts.', { type: 'boolean', default: false }),
    include_metadata: about('Adds the metadata of tokens.', { type: 'boolean', default: false }),
    pending_messages: about('On a devnet: tells how many messages wait for a block, when that changes.', {
      type: 'boolean',
      default: false,
    }),
    after: { ...textSchema, description: 'A cursor: everything after it comes first.' },
    id: about('Comes back in the reply.', textSchema),
  },
} as const

export const SUBSCRIPTION_EXAMPLE = {
  types: ['transactions'],
  addresses: [`0:${'0'.repeat(64)}`],
  min_finality: 'pending',
}
