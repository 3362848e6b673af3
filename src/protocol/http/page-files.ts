import { readFileSync } from 'node:fs'
import { type PageScript, type PageStyle, pageScript, pageStyle } from './page.js'

/** The files of the pages: modules and styles for the browser, which no build touches. */
const read = (name: string): string =>
  readFileSync(new URL(`../../../content/pages/${name}`, import.meta.url), 'utf8')

/** An import of a module, as the formatter writes it. */
const IMPORT = /^import \{[^}]*\} from '\.\/([\w-]+\.js)'\n/gm

/** Collects a module and those that it imports, each once and before the ones that import it. */
function collect(name: string, into: Map<string, string>): void {
  if (into.has(name)) return
  const source = read(name)
  into.set(name, '')
  for (const [, imported = ''] of source.matchAll(IMPORT)) collect(imported, into)
  into.delete(name)
  into.set(name, source.replace(IMPORT, '').replace(/^export /gm, ''))
}

const scripts = new Map<string, PageScript>()
const styles = new Map<string, PageStyle>()

/** Returns a module of `content/pages` with all that it imports as one script, which may connect to its own origin. */
export function linkedScript(name: string): PageScript {
  let script = scripts.get(name)
  if (script === undefined) {
    const modules = new Map<string, string>()
    collect(name, modules)
    script = pageScript(`{\n${[...modules.values()].join('')}}`, { connects: true })
    scripts.set(name, script)
  }
  return script
}

/** Returns a style of `content/pages`, after the one that all of these pages share. */
export function linkedStyle(name: string): PageStyle {
  const style = styles.get(name) ?? pageStyle(read('common.css') + read(name))
  styles.set(name, style)
  return style
}
