import fc from 'fast-check'
import type { FlowRecord, Step } from '../../../src/flows/step.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import { foreignRule } from '../../../src/protocol/rules/rule.js'
import { RUN } from '../tui/steps.js'

/** Text that tries to leave the place it is put into: shells, Markdown, mermaid, HTML, terminals. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '```',
        '\n',
        '\r\n',
        '\\',
        '$(touch canary)',
        '`touch canary`',
        '; touch canary;',
        `\${OAUTH_PASSWORD}`,
        '\nEND_OF_CA\ntouch canary\n',
        '@/etc/passwd',
        '|',
        '<script>',
        '](javascript:alert(1))',
        '%%{init: {}}%%',
        '#quot;',
        'end',
        '&',
        '=',
        '\x1b]0;x\x07',
        '\u202e',
        '\0',
        'a',
      ),
      { maxLength: 12 },
    )
    .map(parts => parts.join('')),
)

/** A run in which everything from outside is `text`. */
export function hostileRun(text: string): FlowRecord[] {
  const exchange = (given: Exchange): Exchange => ({
    ...given,
    request: {
      method: given.request.method,
      url: `https://as.example/${text}?a=${text}&${text}=b&code=${text}#${text}`,
      headers: [...given.request.headers, ['x-sent', text], [text, 'x'], ['authorization', `Basic ${text}`]],
      body: `username=${text}&${text}&password=${encodeURIComponent(text.toWellFormed())}&csrf=${text}`,
    },
    response: {
      status: 200,
      headers: [
        ['content-type', `text/html; ${text}`],
        ['set-cookie', text],
        [text, text],
      ],
      body: `<form><input type="hidden" name="csrf" value="${text}"><input type="hidden" name="${text}" value="x">${text}`,
    },
  })
  return RUN.map((record): FlowRecord => {
    if (record.type === 'outcome') {
      return {
        type: 'outcome',
        outcome: 'refused',
        error: { error: text, error_description: text, rule: foreignRule(text) },
      }
    }
    const step: Step = { ...record, title: text, why: text, rfc: foreignRule(text), note: text }
    return {
      ...step,
      ...(record.url !== undefined && { url: `https://as.example/?${text}` }),
      ...(record.exchange && { exchange: exchange(record.exchange) }),
      checks: [{ name: text, ok: false, rule: foreignRule(text), detail: text }],
    }
  })
}

export const exportOptions = {
  flow: 'authorization code',
  clientId: 'demo',
  version: '0.0.0',
  showSecrets: false,
}
