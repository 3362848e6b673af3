import { z } from 'zod'
import type { DetailSchema } from '../../protocol/oauth/authorization-details.js'
import { optionalText, text } from './members.js'

const required = z.array(text).optional()

/** A few keywords of JSON Schema. */
const member: z.ZodType<DetailSchema> = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']),
  description: text.optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .optional(),
  maxLength: z.number().int().min(0).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get items(): z.ZodOptional<z.ZodType<DetailSchema>> {
    return member.optional()
  },
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<DetailSchema>>> {
    return z.record(z.string().min(1), member).optional()
  },
  required,
})

/** The types of authorization details by name (RFC 9396 §2). */
export const detailTypes = z
  .record(
    text,
    z.strictObject({
      description: optionalText('The access as people read it, such as Start a payment'),
      properties: z
        .record(text, member)
        .optional()
        .describe('Members beside the common ones, by keywords of JSON Schema; others are refused'),
      required: required.describe('Members that must be there'),
    }),
  )
  .describe('Types of authorization details (RFC 9396), added to the built-in one')
