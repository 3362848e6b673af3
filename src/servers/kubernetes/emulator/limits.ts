/** Longest body, in bytes; the real server's own limit. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024

/** Longest body in YAML, in bytes. YAML costs fifty times the processor time of JSON. */
export const MAX_YAML_BYTES = 256 * 1024

/** Largest number of keys, values and marks in a body in YAML: about 100 ms of the processor. */
export const MAX_YAML_LEXEMES = 40_000
