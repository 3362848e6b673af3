/** Fields that a client sets itself, or that belong to the connection (RFC 9110 §7.6.1). */
const OWN_FIELDS = new Set([
  ...['accept', 'accept-encoding', 'authorization', 'content-encoding', 'content-length', 'content-type'],
  ...['cookie', 'dpop', 'host', 'origin', 'referer', 'user-agent'],
  ...['connection', 'expect', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])

/** True for the name of a header field (RFC 9110 §5.1). */
export const isFieldName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name)

/**
 * Returns the reason why a field cannot be added to the requests of a client; undefined for one that can. It repeats no
 * value, which may be a secret.
 */
export function extraHeaderProblem(name: string, value: string): string | undefined {
  if (value === '') return 'it has no value (RFC 9110 §5.5)'
  if (!/^[\t\x20-\x7e]+$/.test(value)) {
    return 'it has a value with line ends or characters outside of ASCII (RFC 9110 §5.5)'
  }
  return OWN_FIELDS.has(name.toLowerCase()) ? 'the client sets this field itself' : undefined
}
