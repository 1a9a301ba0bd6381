import { isObject, listAt, numberAt, objectsAt, textAt } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Message } from '../world/entities.ts';

/** A button or a select menu on a message. */
export interface Clickable {
  readonly message: Message;
  readonly type: number;
  readonly customId: string;
  /** Values of a string select. */
  readonly values: readonly string[];
}

/** Everything on these messages that a user can click on; disabled parts are left out. */
export function clickables(messages: readonly Message[]): Clickable[] {
  return messages.flatMap((message) =>
    message.components.filter(isObject).flatMap((part) => inside(part, message)),
  );
}

function inside(part: JsonObject, message: Message): Clickable[] {
  const nested = listAt(part, 'components').filter(isObject);
  const accessory = part['accessory'];
  const found = [...nested, ...(isObject(accessory) ? [accessory] : [])].flatMap((one) =>
    inside(one, message),
  );
  const customId = textAt(part, 'custom_id');
  if (customId === undefined || part['disabled'] === true) return found;
  const values = objectsAt(part, 'options').map((option) => textAt(option, 'value') ?? '');
  return [...found, { message, type: numberAt(part, 'type') ?? 0, customId, values }];
}

/** Custom ids of the text fields of a form. */
export function formFields(form: Json | object): string[] {
  if (!isObject(form)) return [];
  const own = textAt(form, 'custom_id');
  const nested = [...listAt(form, 'components'), form['component']].filter(isObject);
  if (nested.length === 0) return own === undefined ? [] : [own];
  return nested.flatMap((part) => formFields(part));
}
