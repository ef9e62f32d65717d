// A declaration file taken apart: its statements one by one, with the comments before them.

export interface Declaration {
  readonly name: string
  readonly isExported: boolean
  /** With its comment and without `export`, indented by one space for each level. */
  readonly text: string
}

const STATEMENT =
  /^(?:\/\*\*[\s\S]*?\*\/\n)?(export )?((?:declare )?(?:abstract )?(?:class|const|function|interface|type) ([\w$]+)[\s\S]*?\n)(?=\/\*\*|export |declare |abstract |class |interface |type |\n|$(?![\s\S]))/gm

const INDENT = /^(?: {4})+/gm

/** Statements of a module without imports. Each must begin at the first column, as the compiler writes them. */
export const splitDeclarations = (module: string): readonly Declaration[] =>
  [...module.matchAll(STATEMENT)].map(([text, exported, , name = '']) => ({
    name,
    isExported: exported !== undefined,
    text: text.replace(/^export /m, '').replaceAll(INDENT, (spaces) => ' '.repeat(spaces.length / 4)),
  }))
