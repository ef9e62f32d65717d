// The fields of a call: text a person typed, as the value its schema requires.

import type { DescribedMethod, Param, ParamSchema } from './methods.ts'

export type FormFieldKind = 'text' | 'number' | 'flag' | 'choice' | 'list' | 'json'

export interface FieldShape {
  readonly kind: FormFieldKind
  readonly choices: readonly string[]
}

const isText = ({ type, anyOf }: ParamSchema): boolean => type === 'string' || (anyOf?.some(isText) ?? false)

export function shapeOf({ schema }: Param): FieldShape {
  const choices = (schema.enum ?? []).map(String)
  if (choices.length > 0) return { kind: 'choice', choices }
  if (schema.type === 'boolean') return { kind: 'flag', choices: ['true', 'false'] }
  if (schema.type === 'integer' || schema.type === 'number') return { kind: 'number', choices: [] }
  if (schema.type === 'array' && schema.items !== undefined && isText(schema.items))
    return { kind: 'list', choices: [] }
  return { kind: isText(schema) ? 'text' : 'json', choices: [] }
}

/** A value as it is written in a field, and in the address of a page. */
export function fieldTextOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n')
  return value === undefined ? '' : JSON.stringify(value)
}

export type Parsed = { readonly value: unknown } | { readonly wrong: string } | { readonly absent: true }

/** Dates stand for unix seconds. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/

function numberOf(text: string): Parsed {
  if (DATE.test(text))
    return { value: Math.floor(Date.parse(text.length === 10 ? text : `${text.replace(' ', 'T')}Z`) / 1000) }
  const value = Number(text)
  return Number.isFinite(value) ? { value } : { wrong: 'A number, or a date such as 2026-11-21.' }
}

/** A browser rounds them: the call would be another one than was typed. */
const isRounded = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

function jsonOf(text: string): Parsed {
  let rounded = false
  try {
    const value: unknown = JSON.parse(text, (_, part: unknown) => {
      rounded ||= isRounded(part)
      return part
    })
    return rounded ? { wrong: 'Large numbers are written in quotes, such as "12345678901234567".' } : { value }
  } catch {
    return { wrong: 'JSON, such as [] or {"a": 1}.' }
  }
}

function parseField(param: Param, text: string): Parsed {
  const plain = text.trim()
  if (plain === '') return param.required ? { wrong: 'This is required.' } : { absent: true }
  const { kind, choices } = shapeOf(param)
  if (kind === 'flag') return { value: plain === 'true' }
  if (kind === 'number') return numberOf(plain)
  if (kind === 'json') return jsonOf(plain)
  if (kind === 'choice') return choices.includes(plain) ? { value: plain } : { wrong: `One of ${choices.join(', ')}.` }
  return { value: kind === 'list' ? plain.split(/[\s,]+/).filter(Boolean) : plain }
}

export interface ReadForm {
  readonly params: Readonly<Record<string, unknown>>
  /** By name of the param. */
  readonly wrong: Readonly<Record<string, string>>
}

export function readForm({ params }: DescribedMethod, texts: Readonly<Record<string, string>>): ReadForm {
  const values: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const param of params) {
    const parsed = parseField(param, texts[param.name] ?? '')
    if ('value' in parsed) values[param.name] = parsed.value
    else if ('wrong' in parsed) wrong[param.name] = parsed.wrong
  }
  return { params: values, wrong }
}
