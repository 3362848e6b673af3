import { OAUTH_FINDINGS, SAML_FINDINGS } from '../../src/judge/explain/finding-catalogue.js'
import { read } from '../support/source-files.js'

const TABLES = { OAUTH_FINDINGS, SAML_FINDINGS }

/** The page about recordings, with its tables of findings as the code has them. */
export function findingsPage(): string {
  return Object.entries(TABLES).reduce((page, [name, kinds]) => {
    const rows = kinds.map(
      ({ names, severity, when }) =>
        `| ${names.map(each => `\`${each}\``).join(', ')} | ${severity} | ${when} |`,
    )
    const table = ['| finding | severity | when |', '|---|---|---|', ...rows].join('\n')
    const place = new RegExp(`(<!-- ${name} -->\n\n).*?(\n\n<!-- end -->)`, 's')
    return page.replace(place, (_, before: string, after: string) => before + table + after)
  }, read('docs/explain.md'))
}
