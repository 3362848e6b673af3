import fc from 'fast-check'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { htmlPage } from '../../../../src/show/render/exports/html.js'
import { REFUSED, REPLAYED, RUN, STEPS } from '../../tui/steps.js'
import { exportOptions, hostileRun, hostileText } from '../hostile.js'

/** The elements of a page, each as its name. */
function elementsOf(markup: string): string[] {
  const names: string[] = []
  const visit = (node: { readonly nodeName: string; readonly childNodes?: readonly never[] }): void => {
    names.push(node.nodeName)
    for (const child of node.childNodes ?? []) visit(child)
  }
  visit(parse(markup) as never)
  return names.filter(name => !name.startsWith('#'))
}

describe('the export as a page', () => {
  const page = htmlPage(RUN, exportOptions)

  it('is one file without scripts, and loads nothing', () => {
    expect(page).toContain("default-src 'none'; style-src 'sha256-".replaceAll("'", '&#39;'))
    expect(page).not.toMatch(/<script|<img|<iframe| src=| style="| on\w+="|url\(|@import/)
    expect(page.length).toBeLessThan(300_000)
  })

  it('draws the sequence, each step with its exchange, tokens and rule, and the outcome', () => {
    for (const step of STEPS) expect(page).toContain(`${step.n}. ${step.title}`)
    expect(page).toMatch(/<a href="https:\/\/www\.rfc-editor\.org\/rfc\/rfc6749#section-/)
    expect(page).toMatch(/granted/)
    const refused = htmlPage([...STEPS.slice(0, 4), REPLAYED, REFUSED], exportOptions)
    expect(refused).toMatch(/<span class="refused">refused +invalid_grant/)
  })

  it('masks secrets unless they are to be shown', () => {
    expect(page).not.toMatch(/wonderland|s3cretvalue|eyJ[\w-]{40}|k3V9wTz/)
    expect(htmlPage(RUN, { ...exportOptions, showSecrets: true })).toMatch(/wonderland/)
  })

  it('shows text from outside as text', () => {
    const own = new Set(elementsOf(page))
    fc.assert(
      fc.property(hostileText, text => {
        const written = htmlPage(hostileRun(text), exportOptions)
        expect(written).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
        expect(elementsOf(written).filter(name => !own.has(name))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
