import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mermaid, mermaidText } from '../../../../src/show/render/exports/mermaid.js'
import { RUN, STEPS } from '../../tui/steps.js'
import { exportOptions, hostileRun, hostileText } from '../hostile.js'

describe('mermaid', () => {
  it('draws a run', () => expect(mermaid(RUN, exportOptions)).toMatchFileSnapshot('./run.mmd'))

  it('draws a request without an answer as lost', () => {
    const { response: _none, ...sent } = STEPS[4]!.exchange!
    expect(mermaid([{ ...STEPS[4]!, exchange: sent }], exportOptions)).toMatch(/--xclient: no answer/)
  })

  it.each([
    ['a;b', 'a#59;b'],
    ['#quot;', '#35;quot#59;'],
    ['<br/>', '#60;br/#62;'],
    ['%%{init}%%', '#37;#37;#123;init#125;#37;#37;'],
    ['wrap: x', 'wrap#58; x'],
    ['a\nb', 'a#9226;b'],
    ['ä 漢', 'ä 漢'],
  ])('%j is written %s', (text, written) => expect(mermaidText(text)).toBe(written))

  // What the lexer of mermaid's sequence diagrams takes as the text of a message or note, entities apart.
  const line =
    /^ {2}(participant \w+ as [A-Z][a-z ]+|\w+(->>|-->>|--x)\w+: (#\d+;|[^#;%{}<>:\n])*|Note over client: (#\d+;|[^#;%{}<>:\n])*)$/u

  it('keeps text from outside on its line', () => {
    fc.assert(
      fc.property(hostileText, text => {
        const [first, ...lines] = mermaid(hostileRun(text), exportOptions).trimEnd().split('\n')
        expect(first).toBe('sequenceDiagram')
        for (const each of lines) expect(each).toMatch(line)
      }),
      { numRuns: 60 },
    )
  })
})
