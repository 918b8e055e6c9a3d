// The dashboard: reads the public REST surface and follows the feed. Every text from a service is set as text.

const TOKEN = 'weighbridge.token';
const FEED_LENGTH = 60;
const REFRESH_MS = 5000;
const SETTLE_MS = 250;
const MAX_RESOURCES = 500;

const TONES = {
  READY: 'good', IMPORTING: 'info', DEGRADED: 'warn', DELETING: 'bad', DELETED: 'none',
  HOT: 'hot', COLD: 'cold', MIXED: 'warn', ABSENT: 'bad', UNKNOWN: 'none',
  LIVE: 'good', JOINING: 'info', SUSPECT: 'warn', DEAD: 'bad',
  MOUNTED: 'good', VERIFYING: 'info', DRAINING: 'warn', QUARANTINED: 'bad', UNMOUNTED: 'none',
  OK: 'good', WARNING: 'warn', BLOCKING: 'bad',
  COMPLETE: 'good', INITIALIZED: 'info', PROCESSING: 'info', FAILED: 'bad', REMOVED: 'none',
};
const TIERS = { MEMORY: 'memory', LOCAL_DISK: 'disk', DFS: 'shared files', NOF: 'NVMe-oF', OBJECT_STORE: 'object store' };

const state = { catalog: [], chosen: null, nodes: new Map(), detail: null };

// ---- small pieces

const $ = (selector, root = document) => root.querySelector(selector);

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
  return node;
}

const pill = (text, tone = TONES[text] ?? 'none') => el('span', { class: `pill ${tone}` }, text);
const short = (id) => (id ? id.slice(0, 8) : '');
const words = (kind) => kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().replace(/^./, (c) => c.toUpperCase());

function bytes(count) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

function ago(time) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1000));
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${seconds - (seconds % 10)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}

const span = (ms) => (ms < 60000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60000)} min`);

function meter(part, whole, label, tone = '') {
  const percent = whole > 0 ? Math.min(100, (100 * part) / whole) : 0;
  const fill = el('i');
  fill.style.width = `${percent}%`;
  return el('div', {
    class: `meter ${tone}`, role: 'progressbar', 'aria-label': label,
    'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(percent),
  }, fill);
}

/** Changes only what differs: focus, selection and scrolling stay, and bars move instead of jumping. */
function morph(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE || old.nodeName !== fresh.nodeName) {
    if (!old.isEqualNode(fresh)) old.replaceWith(fresh);
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (name !== 'style' && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== 'style' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  morphChildren(old, [...fresh.childNodes]);
}

function morphChildren(parent, fresh) {
  fresh.forEach((child, i) => (parent.childNodes[i] ? morph(parent.childNodes[i], child) : parent.append(child)));
  while (parent.childNodes.length > fresh.length) parent.lastChild.remove();
}

function show(section, ...content) {
  const root = $(section);
  const body = $('[data-body]', root);
  body.classList.remove('stale');
  morphChildren(body, content);
  $('[data-note]', root).hidden = true;
}

function note(section, text) {
  const place = $('[data-note]', $(section));
  place.className = 'note';
  place.removeAttribute('role');
  place.replaceChildren(text);
  place.hidden = false;
}

/** What is on screen stays, dimmed, below the reason why it is not fresh. */
function fail(section, error) {
  const root = $(section);
  const place = $('[data-note]', root);
  place.className = 'note error';
  place.setAttribute('role', 'alert');
  place.replaceChildren(
    el('strong', {}, error.code ?? 'UNAVAILABLE'), ' ', error.detail ?? 'the gateway cannot be reached',
    error.retry === 'LATER' || !error.code ? '. Trying again.' : '.');
  place.hidden = false;
  $('[data-body]', root).classList.add('stale');
}

// ---- the API

class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? `status ${status}`);
    Object.assign(this, { status, code: body.code ?? `HTTP ${status}`, detail: body.detail ?? body.title, retry: body.retry });
  }
}

function headers(accept) {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Accept: accept, Authorization: `Bearer ${token}` } : { Accept: accept };
}

async function refuse(answer) {
  const problem = new Problem(answer.status, await answer.json().catch(() => ({})));
  if (answer.status === 401) askForToken();
  throw problem;
}

async function api(path) {
  const answer = await fetch(path, { headers: headers('application/json'), cache: 'no-store' });
  return answer.ok ? answer.json() : refuse(answer);
}

const query = (path, parameters) => `${path}?${new URLSearchParams(parameters)}`;

async function all(path, parameters, field, limit = 1000) {
  const found = [];
  let token = null;
  do {
    const page = await api(query(path, { ...parameters, page_size: 200, ...(token && { page_token: token }) }));
    found.push(...page[field]);
    token = page.next_page_token;
  } while (token && found.length < limit);
  return found;
}

// ---- reconciler

const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

function shares(title, counts) {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  const stack = el('div', { class: 'stack', 'aria-hidden': 'true' });
  for (const [name, count] of present) {
    const part = el('i', { class: TONES[name] ?? 'none' });
    part.style.flexGrow = count;
    stack.append(part);
  }
  const legend = el('div', { class: 'legend' }, ...present.map(([name, count]) =>
    el('span', { class: TONES[name] ?? 'none' }, el('b', {}, String(count)), ` ${name.toLowerCase()}`)));
  return el('div', { class: 'wide' }, el('dt', {}, title), el('dd', {}, stack, present.length ? legend : 'none yet'));
}

async function loadStatus() {
  try {
    const status = await api('/v1/reconciler/status');
    const tile = (name, value, tone) => el('div', { class: tone ?? '' }, el('dt', {}, name), el('dd', {}, value));
    show('#status',
      tile('revisions', String(sum(status.revisions_by_availability))),
      shares('Availability', status.revisions_by_availability),
      shares('Residency', status.revisions_by_residency),
      tile('active leases', String(status.active_leases)),
      tile(status.oldest_operation_age_ms ? `operations, oldest ${span(status.oldest_operation_age_ms)}` : 'operations',
        String(status.pending_operations)),
      tile('claimed, of queued', `${status.claimed} / ${status.queued}`),
      tile('failures', String(status.failures), status.failures ? 'trouble' : ''));
  } catch (error) {
    fail('#status', error);
  }
}

async function loadHealth() {
  const place = $('#health');
  try {
    const answer = await fetch('/readyz', { headers: headers('application/json'), cache: 'no-store' });
    const health = await answer.json();
    const down = Object.entries(health.components ?? {}).filter(([, part]) => part.status !== 'UP');
    place.className = `pill ${answer.ok ? 'good' : 'bad'}`;
    place.textContent = answer.ok ? 'ready' : `not ready: ${down.map(([name]) => name).join(', ') || 'unknown'}`;
    place.title = down.map(([name, part]) => `${name}: ${part.detail ?? 'down'}`).join('\n');
  } catch {
    place.className = 'pill bad';
    place.textContent = 'gateway unreachable';
  }
}

// ---- catalog and revisions

const place = (resource) => `#/${encodeURIComponent(resource.namespace)}/${encodeURIComponent(resource.resource_id)}`;

async function loadCatalog() {
  try {
    const namespaces = await all('/v1/namespaces', {}, 'namespaces', MAX_RESOURCES);
    const catalog = [];
    for (const namespace of namespaces) {
      if (catalog.length >= MAX_RESOURCES) break;
      for (const resource_id of await all('/v1/resources', { namespace }, 'resources', MAX_RESOURCES)) {
        catalog.push({ namespace, resource_id });
      }
    }
    state.catalog = catalog;
    if (!state.chosen && catalog.length && !location.hash) state.chosen = catalog[0];
    drawCatalog();
  } catch (error) {
    fail('#catalog', error);
  }
}

function drawCatalog() {
  const groups = Map.groupBy(state.catalog, (resource) => resource.namespace);
  const isChosen = (resource) => state.chosen && place(resource) === place(state.chosen);
  show('#catalog', ...[...groups].flatMap(([namespace, resources]) => [
    el('h3', {}, namespace),
    el('ul', {}, ...resources.map((resource) => el('li', {}, el('a', {
      href: place(resource), 'aria-current': isChosen(resource) ? 'page' : null,
    }, resource.resource_id)))),
  ]));
  if (!state.catalog.length) note('#catalog', 'No weights yet. Publish a revision and it appears here.');
}

async function loadRevisions() {
  const chosen = state.chosen;
  if (!chosen) {
    show('#revisions');
    note('#revisions', state.catalog.length ? 'Choose a resource' : 'No revisions yet');
    return;
  }
  try {
    const revisions = await all('/v1/revisions', chosen, 'revisions');
    const operations = await Promise.all(revisions.map((revision) =>
      revision.operation_id ? api(`/v1/operations/${revision.operation_id}`).catch(() => null) : null));
    if (state.chosen !== chosen) return;
    $('#revisions-of').textContent = `${chosen.namespace} / ${chosen.resource_id}`;
    const heads = ['Revision', 'Availability', 'Residency', 'Operation', 'Size', 'Changed'];
    show('#revisions', el('table', {},
      el('thead', {}, el('tr', {}, ...heads.map((head, i) => el('th', { scope: 'col', class: i === 4 ? 'number' : null }, head)))),
      el('tbody', {}, ...revisions.map((revision, i) => row(revision, operations[i])))));
    if (!revisions.length) {
      show('#revisions');
      note('#revisions', 'This resource has no revisions that are not deleted');
    }
  } catch (error) {
    fail('#revisions', error);
  }
}

function row(revision, operation) {
  return el('tr', {},
    el('td', {},
      el('button', {
        type: 'button', class: 'link', 'data-revision': revision.revision_id, 'aria-haspopup': 'dialog',
      }, revision.revision),
      el('div', { class: 'sub' }, `generation ${revision.weight_generation} · ${revision.expected_payload_count} objects`)),
    el('td', {}, pill(revision.availability)),
    el('td', {}, pill(revision.residency)),
    el('td', { class: 'work' }, work(revision, operation)),
    el('td', { class: 'number' }, bytes(revision.expected_logical_bytes)),
    el('td', { class: 'sub', title: revision.updated_at }, ago(revision.updated_at)));
}

function work(revision, operation) {
  if (revision.operation === 'NONE') return el('span', { class: 'sub' }, '–');
  const name = words(revision.operation.toLowerCase());
  if (!operation) return name;
  const percent = operation.total_members ? Math.floor((100 * operation.processed_members) / operation.total_members) : 0;
  return el('div', {},
    el('div', { class: 'line' }, el('span', {}, name), el('span', { class: 'sub' }, `${percent} %`)),
    meter(operation.processed_members, operation.total_members, `${name} ${revision.revision}`),
    el('div', { class: 'sub' }, operation.message ?? `${operation.processed_members} of ${operation.total_members} objects`));
}

// ---- one revision

const facts = (pairs) => el('dl', { class: 'facts' }, ...pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));

const nodeName = (id) => {
  const node = state.nodes.get(id);
  return node?.labels?.host ?? node?.labels?.name ?? (node ? host(node.url) : short(id));
};

const host = (url) => { try { return new URL(url).host; } catch { return url; } };

async function openDetail(id) {
  state.detail = id;
  const dialog = $('#detail');
  $('#detail-title').textContent = 'Revision';
  show('#detail');
  note('#detail', 'Loading');
  if (!dialog.open) dialog.showModal();
  await loadDetail();
}

async function loadDetail() {
  const id = state.detail;
  if (!id) return;
  try {
    const [revision, members, diagnosis] = await Promise.all([
      api(`/v1/revisions/${id}`),
      api(`/v1/revisions/${id}/members?page_size=200`),
      api(`/v1/revisions/${id}/diagnosis`),
    ]);
    if (state.detail !== id) return;
    $('#detail-title').textContent = `${revision.namespace} / ${revision.resource_id} @ ${revision.revision}`;
    show('#detail',
      el('div', { class: 'copies' }, pill(revision.availability), pill(revision.residency),
        revision.operation === 'NONE' ? null : pill(revision.operation, 'info')),
      facts([
        ['Weight generation', String(revision.weight_generation)],
        ['Metadata generation', String(revision.metadata_generation)],
        ['Size', `${bytes(revision.expected_logical_bytes)} in ${revision.expected_payload_count} objects`],
        ['Wanted copies', `${revision.placement.memory_replicas} in memory, ${revision.placement.cold_replicas} cold`],
        ['Created', ago(revision.created_at)],
        ['Committed', revision.committed_at ? ago(revision.committed_at) : 'not yet'],
        ['Labels', Object.entries(revision.labels).map(([name, value]) => `${name}=${value}`).join(', ')],
        ['Revision id', el('code', {}, revision.revision_id)],
      ]),
      el('h3', {}, 'Diagnosis ', pill(diagnosis.readable ? 'readable' : 'not readable', diagnosis.readable ? 'good' : 'bad')),
      el('ul', { class: 'layers' }, ...diagnosis.layers.map((layer) => el('li', {},
        pill(layer.verdict), el('strong', {}, layer.name), el('span', {}, layer.evidence),
        layer.next_step ? el('span', { class: 'sub' }, layer.next_step) : null))),
      el('h3', {}, `Members${members.next_page_token ? ` (the first ${members.members.length})` : ''}`),
      members.members.length ? memberTable(members.members) : el('p', { class: 'note' }, 'No object has been stored yet'));
  } catch (error) {
    fail('#detail', error);
  }
}

function memberTable(members) {
  return el('div', { class: 'scroll' }, el('table', {},
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Key'), el('th', { scope: 'col', class: 'number' }, 'Size'),
      el('th', { scope: 'col' }, 'Copies'))),
    el('tbody', {}, ...members.map((member) => el('tr', {},
      el('td', { class: 'key' }, el('code', {}, member.key), el('div', { class: 'sub' }, member.type.toLowerCase())),
      el('td', { class: 'number' }, bytes(member.size)),
      el('td', {}, member.replicas.length
        ? el('div', { class: 'copies' }, ...member.replicas.map((copy) =>
          pill(`${TIERS[copy.tier] ?? copy.tier} · ${nodeName(copy.node_id)}`, copy.readable ? 'good' : TONES[copy.state] === 'good' ? 'warn' : TONES[copy.state])))
        : pill('none', 'bad')))))));
}

// ---- nodes

async function loadNodes() {
  try {
    const nodes = await all('/v1/nodes', {}, 'nodes');
    state.nodes = new Map(nodes.map((node) => [node.node_id, node]));
    show('#nodes', ...nodes.map((node) => el('li', {},
      el('div', { class: 'line' }, el('strong', { title: node.node_id }, nodeName(node.node_id)), pill(node.state)),
      el('div', { class: 'sub' }, host(node.url), node.last_heartbeat ? ` · heartbeat ${ago(node.last_heartbeat)}` : ' · no heartbeat yet'),
      ...node.segments.map(segment))));
    if (!nodes.length) note('#nodes', 'No node has registered. Start an agent.');
  } catch (error) {
    fail('#nodes', error);
  }
}

function segment(part) {
  const full = part.capacity > 0 ? part.used_bytes / part.capacity : 0;
  const tier = TIERS[part.tier] ?? part.tier;
  return el('div', { class: 'segment' },
    el('div', { class: 'line' },
      el('span', {}, tier, ' ', part.state === 'MOUNTED' ? null : pill(part.state)),
      el('span', { class: 'sub' }, `${bytes(part.used_bytes)} of ${bytes(part.capacity)}`)),
    meter(part.used_bytes, part.capacity, `${tier} used`, full > 0.95 ? 'bad' : full > 0.85 ? 'warn' : part.tier === 'MEMORY' ? 'hot' : 'cold'));
}

// ---- feed

function feedState(text, tone) {
  const place = $('#feed-state');
  place.className = `pill ${tone}`;
  place.textContent = text;
}

function addEntry(entry) {
  const list = $('#feed [data-body]');
  const about = entry.state?.revision ?? entry.state?.holder ?? entry.state?.key ?? short(entry.entity_id);
  list.prepend(el('li', {},
    el('time', { datetime: entry.at }, new Date(entry.at).toLocaleTimeString([], { hour12: false })),
    el('strong', {}, words(entry.kind)),
    el('span', { class: 'sub', title: entry.entity_id }, `${entry.entity} ${about} · by ${entry.subject}`)));
  while (list.children.length > FEED_LENGTH) list.lastElementChild.remove();
  $('#feed [data-note]').hidden = true;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** EventSource cannot carry a token, so the stream is read by hand. */
async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split(/\r?\n\r?\n/);
    rest = parts.pop();
    for (const part of parts) {
      const event = { id: null, data: '' };
      for (const line of part.split(/\r?\n/)) {
        if (line.startsWith('id:')) event.id = line.slice(3).trim();
        if (line.startsWith('data:')) event.data += line.slice(5);
      }
      if (event.data) yield event;
    }
  }
}

let following = null;
let last = null;

async function follow() {
  following?.abort();
  const mine = new AbortController();
  following = mine;
  let wait = 500;
  while (!mine.signal.aborted) {
    try {
      if (last === null) last = (await api('/v1/feed?after=now&page_size=1')).next_cursor;
      feedState('live', 'good');
      const answer = await fetch('/v1/feed', {
        headers: { ...headers('text/event-stream'), 'Last-Event-ID': last }, signal: mine.signal, cache: 'no-store',
      });
      if (!answer.ok) await refuse(answer);
      wait = 500;
      for await (const event of events(answer)) {
        last = event.id ?? last;
        addEntry(JSON.parse(event.data));
        somethingChanged();
      }
    } catch (error) {
      if (mine.signal.aborted) return;
      if (error.code === 'FEED_RESET') last = null;
      feedState(error.status === 401 ? 'needs a token' : 'reconnecting', 'warn');
    }
    await pause(wait);
    wait = Math.min(wait * 2, 10000);
  }
}

let settling = null;

function somethingChanged() {
  settling ??= setTimeout(() => {
    settling = null;
    refresh();
    loadCatalog();
  }, SETTLE_MS);
}

// ---- token

function askForToken() {
  const dialog = $('#token');
  if (!dialog.open && !sessionStorage.getItem(`${TOKEN}.asked`)) {
    sessionStorage.setItem(`${TOKEN}.asked`, 'yes');
    dialog.showModal();
  }
}

$('#token-button').addEventListener('click', () => $('#token').showModal());
$('#token-form').addEventListener('submit', () => {
  const token = $('#token-field').value.trim();
  if (token) sessionStorage.setItem(TOKEN, token);
  $('#token-field').value = '';
  start();
});
$('#token-forget').addEventListener('click', () => {
  sessionStorage.removeItem(TOKEN);
  $('#token').close();
  start();
});
$('#revisions').addEventListener('click', (event) => {
  const button = event.target.closest('[data-revision]');
  if (button) openDetail(button.dataset.revision);
});
$('[data-close]', $('#detail')).addEventListener('click', () => $('#detail').close());
$('#detail').addEventListener('close', () => { state.detail = null; });

// ---- all together

function choose() {
  const [, namespace, resource_id] = location.hash.split('/').map(decodeURIComponent);
  if (namespace && resource_id) state.chosen = { namespace, resource_id };
  drawCatalog();
  loadRevisions();
}

function refresh() {
  loadHealth();
  loadStatus();
  loadNodes();
  loadRevisions();
  loadDetail();
}

async function start() {
  if (location.hash) choose();
  follow();
  loadNodes();
  await loadCatalog();
  refresh();
}

window.addEventListener('hashchange', choose);

// A browser has few connections for one origin: a page that nobody sees keeps none, and catches up afterwards.
window.addEventListener('pagehide', () => following?.abort());
window.addEventListener('pageshow', (event) => { if (event.persisted) follow(); });
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    following?.abort();
  } else {
    follow();
    refresh();
  }
});
setInterval(() => { if (!document.hidden) refresh(); }, REFRESH_MS);
setInterval(() => { if (!document.hidden) loadCatalog(); }, 6 * REFRESH_MS);
start();
