import { escapeUnprintable } from '../../../protocol/safe-output/json-line.js'

/**
 * YAML that is safe for terminals, and that readers of YAML 1.1, as those of Kubernetes are, read as it was meant:
 * texts that resemble dates or `yes` are in quotes.
 * @param write of the package yaml, which takes long to load
 */
export function yamlText(value: unknown, write: (value: unknown, options: object) => string): string {
  const options = { lineWidth: 0, version: '1.1' } as const
  const text = write(value, options)
  if (escapeUnprintable(text) === text) return text
  const quoted = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' } as const
  return escapeUnprintable(write(value, { ...options, ...quoted }))
}
