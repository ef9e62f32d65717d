// Results as tables: name, type and meaning of each field. A shape that several results hold, or a parameter has, is
// described once at the end of the page, and every mention of it links there.

import { type Components, isSchema, type JsonSchema, propertiesOf, REFERENCE, requiredOf } from '../components.ts'
import { schemasIn } from '../jsonSchema.ts'
import { type Html, html, prose } from './html.ts'

export interface Shapes {
  /** The type of a parameter, with the name of its shape as a link. */
  type(text: string): Html
  /** The result of one method. */
  result(method: string): Html
  /** All shapes that are linked to. */
  readonly section: Html | null
}

const shapeId = (name: string): string => `shape-${name}`

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schemasIn(schema.anyOf ?? schema.oneOf).flatMap((one) => (Array.isArray(one.oneOf) ? schemasIn(one.oneOf) : [one]))

const nameOf = ({ $ref }: JsonSchema): string | null => (typeof $ref === 'string' ? $ref.replace(REFERENCE, '') : null)
const wordsOf = ({ description, const: constant }: JsonSchema): string =>
  typeof description === 'string' ? description : constant === undefined ? '' : 'Always this value.'

const joined = (parts: readonly Html[], by: string): Html => {
  const texts = new Map(parts.map((part) => [part.text, part]))
  return html`${[...texts.values()].map((part, index) => html`${index === 0 ? '' : by}${part}`)}`
}

const literal = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`

/** The type of a field, shapes in it as links. */
function typeOf(schema: JsonSchema): Html {
  const name = nameOf(schema)
  if (name !== null) return html`<a href="#${shapeId(name)}">${name}</a>`
  if (schema.const !== undefined) return literal(schema.const)
  if (Array.isArray(schema.enum)) return joined(schema.enum.map(literal), ' | ')
  const choices = choicesOf(schema)
  if (choices.length > 0) return joined(choices.map(typeOf), ' | ')
  const places = schemasIn(schema.prefixItems)
  if (places.length > 0) return html`[${joined(places.map(typeOf), ', ')}]`
  if (schema.type === 'array') return isSchema(schema.items) ? html`list of ${typeOf(schema.items)}` : html`list`
  if (isSchema(schema.additionalProperties)) {
    const { additionalProperties: value } = schema
    return Object.keys(value).length === 0 ? html`object` : html`map of ${typeOf(value)}`
  }
  if (Array.isArray(schema.type)) return html`${schema.type.join(' | ')}`
  return html`${typeof schema.type === 'string' ? schema.type : 'any value'}`
}

interface Row {
  readonly path: string
  readonly schema: JsonSchema
  readonly required: boolean
  readonly description: string
}

/** Fields, those of unnamed objects by path. */
function rowsOf(schema: JsonSchema, components: Components, path = ''): readonly Row[] {
  const required = requiredOf(schema)
  return propertiesOf(schema).flatMap(([name, property]): Row[] => {
    const own = `${path}${name}`
    const description = wordsOf(property) || wordsOf(components.resolve(property))
    const row = { path: own, schema: property, required: required.has(name), description }
    const items = isSchema(property.items) ? property.items : null
    return [row, ...rowsOf(property, components, `${own}.`), ...(items ? rowsOf(items, components, `${own}[].`) : [])]
  })
}

const rowHtml = ({ path, schema, required, description }: Row): Html => html`<tr>
<th scope="row"><code>${path}</code>${required ? null : html` <span class="quiet">may be absent</span>`}</th>
<td>${typeOf(schema)}</td>
<td>${prose(description)}</td>
</tr>
`

const table = (label: string, rows: readonly Row[]): Html => html`<table class="params" aria-label="${label}">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>
${rows.map(rowHtml)}</tbody>
</table>`

const isTagged = (choice: JsonSchema): boolean => propertiesOf(choice).length === 2

/** A choice by a constant: the constant, and the shape that goes with it. */
function tagRows(choices: readonly JsonSchema[]): Html {
  const rows = choices.map((choice) => {
    const [[, tag = {}] = [], [, value = {}] = []] = propertiesOf(choice)
    const listed = tag.const !== undefined
    return html`<tr><th scope="row">${listed ? literal(tag.const) : 'any other'}</th><td>${listed ? typeOf(value) : 'object'}</td></tr>
`
  })
  const [[tagName] = ['type'], [valueName] = ['value']] = propertiesOf(choices[0] ?? {})
  return html`<table class="facts plain-heads stack"><thead><tr><th scope="col"><code>${tagName}</code></th><th scope="col"><code>${valueName}</code></th></tr></thead>
<tbody>${rows}</tbody></table>`
}

function shapeBody(name: string, schema: JsonSchema, components: Components): Html {
  const rows = rowsOf(schema, components)
  if (rows.length > 0) return table(`Fields of ${name}`, rows)
  const choices = choicesOf(schema)
  const plain = choices.filter((choice) => nameOf(choice) === null)
  if (plain.length > 0 && plain.every(isTagged)) return tagRows(choices)
  if (choices.length > 0) return html`<p>One of ${joined(choices.map(typeOf), ', ')}.</p>`
  const parts = schemasIn(schema.allOf)
  if (parts.length > 0) return html`<p>The fields of ${joined(parts.map(typeOf), ' and ')}.</p>`
  return html`<p>${typeOf(schema)}</p>`
}

const isStructured = (schema: JsonSchema): boolean =>
  propertiesOf(schema).length > 0 || choicesOf(schema).length > 0 || schemasIn(schema.allOf).length > 0

const shapeArticle = (
  name: string,
  schema: JsonSchema,
  components: Components,
): Html => html`<article class="shape" id="${shapeId(name)}">
<h3><a class="anchor" href="#${shapeId(name)}">${name}</a></h3>
${wordsOf(schema) === '' ? null : html`<p class="more">${prose(wordsOf(schema))}</p>`}
${shapeBody(name, schema, components)}
</article>
`

const valueRow = (
  name: string,
  schema: JsonSchema,
): Html => html`<tr id="${shapeId(name)}"><th scope="row"><code>${name}</code></th><td>${typeOf(schema)}</td><td>${prose(wordsOf(schema))}</td></tr>
`

/** Fields a method shows itself instead of a link to them. */
const FEW_FIELDS = 6

const hrefsOf = (part: Html): readonly string[] =>
  [...part.text.matchAll(/href="#shape-([^"]+)"/g)].map(([, name = '']) => name)

/** Names of shapes in the parameters of a method. */
const shapesOfParams = (params: JsonSchema): readonly string[] =>
  [...JSON.stringify(params).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)

/** Tables of the results of some methods. `components` are as exact as the client's types. */
export function createShapes(methods: readonly string[], components: Components): Shapes {
  const resultOf = (method: string): JsonSchema => components.methods.get(method)?.result ?? {}
  const tops = methods.map((method) => nameOf(resultOf(method)))

  /** Shapes of one method alone, and small ones, are shown with the method. */
  const isShownThere = (name: string | null, schema: JsonSchema): boolean => {
    const fields = propertiesOf(schema).length
    return fields > 0 && (name === null || fields <= FEW_FIELDS || tops.filter((top) => top === name).length === 1)
  }

  const results = new Map(
    methods.map((method) => {
      const result = resultOf(method)
      const schema = components.resolve(result)
      const words = wordsOf(schema)
      if (!isShownThere(nameOf(result), schema))
        return [
          method,
          html`<p class="type">${typeOf(result)}${words === '' || nameOf(result) !== null ? '' : html`: ${prose(words)}`}</p>`,
        ]
      const head = words === '' ? null : html`<p class="more">${prose(words)}</p>`
      return [method, html`${head}${table(`Result of ${method}`, rowsOf(schema, components))}`]
    }),
  )

  const articles = new Map<string, Html>()
  const values = new Map<string, Html>()
  const inParams = methods.flatMap((method) => shapesOfParams(components.methods.get(method)?.params ?? {}))
  const queue = [...[...results.values()].flatMap(hrefsOf), ...inParams]
  for (const name of queue) {
    const schema = components.schemas[name]
    if (schema === undefined || articles.has(name) || values.has(name)) continue
    const made = isStructured(schema) ? shapeArticle(name, schema, components) : valueRow(name, schema)
    ;(isStructured(schema) ? articles : values).set(name, made)
    queue.push(...hrefsOf(made))
  }
  const sorted = (part: ReadonlyMap<string, Html>) =>
    [...part].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, made]) => made)
  return {
    type: (text) =>
      html`${text.split(/\((\w+)\)/).map((piece, index) => {
        if (index % 2 === 0) return piece
        return articles.has(piece) || values.has(piece)
          ? html`(${typeOf({ $ref: `${REFERENCE}${piece}` })})`
          : `(${piece})`
      })}`,
    result: (method) => results.get(method) ?? html``,
    section:
      queue.length === 0
        ? null
        : html`<section class="shapes" aria-labelledby="shapes">
<h2 id="shapes">Shapes of values</h2>
${values.size === 0 ? null : html`<div class="scroll" tabindex="0" role="region" aria-label="Values"><table class="facts plain-heads stack" aria-label="Values"><tbody>${sorted(values)}</tbody></table></div>`}
${sorted(articles)}
</section>`,
  }
}
