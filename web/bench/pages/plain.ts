import '../../src/styles/base.css';
import type { ShardStatus, Status, StatusDelta } from '@bot-analytics/protocol/read-api';
import card from '../../src/pages/status/grid/card.module.css';
import group from '../../src/pages/status/grid/group.module.css';
import { cardFields } from '../../src/pages/status/grid/card-view.ts';

/** The yardstick: the open status page in plain DOM code, same style, no framework. */

interface PlainCard {
  readonly item: HTMLLIElement;
  readonly values: readonly HTMLElement[];
}

const cards = new Map<number, PlainCard>();

function element(tag: string, className: string | undefined, text = ''): HTMLElement {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  if (text !== '') made.textContent = text;
  return made;
}

function makeCard(shard: ShardStatus): HTMLLIElement {
  const item = document.createElement('li');
  item.className = card.card ?? '';
  item.dataset['state'] = shard.state;
  const link = element('a', undefined, `Shard ${shard.shardId}`);
  link.setAttribute('href', `#${shard.shardId}`);
  const state = element('span', undefined, shard.state);
  const fields = element('dl', card.fields);
  const values = cardFields(shard).map(({ label, value }) => {
    const shown = element('dd', undefined, value);
    fields.append(element('dt', undefined, label), shown);
    return shown;
  });
  item.append(link, state, fields);
  cards.set(shard.shardId, { item, values });
  return item;
}

function mount(status: Status): void {
  const root = document.getElementById('root');
  for (const { clusterId, shards } of status.clusters) {
    const box = element('details', group.group);
    box.setAttribute('open', '');
    const list = element('ul', group.cards);
    list.append(...shards.map(makeCard));
    box.append(element('summary', group.summary, `Cluster ${clusterId}`), list);
    root?.append(box);
  }
}

function apply(delta: StatusDelta): void {
  for (const shard of delta.shards) {
    const known = cards.get(shard.shardId);
    if (known === undefined) continue;
    known.item.dataset['state'] = shard.state;
    cardFields(shard).forEach(({ value }, index) => {
      const shown = known.values[index];
      if (shown !== undefined && shown.textContent !== value) shown.textContent = value;
    });
  }
}

Object.assign(globalThis, { plain: { mount, apply } });
