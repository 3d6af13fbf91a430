// The contrast of the strongest color in each box against its background, measured in a screenshot.
async ([picture, scale, boxes]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const linear = (part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (rgb) => 0.2126 * linear(rgb >> 16) + 0.7152 * linear((rgb >> 8) & 255) + 0.0722 * linear(rgb & 255);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const measured = boxes.map(({ box: [left, top, right, bottom], name, of }) => {
    const size = [(right - left) * scale, (bottom - top) * scale];
    const { data } = context.getImageData(left * scale, top * scale, ...size);
    const counts = new Map();
    for (let offset = 0; offset < data.length; offset += 4) {
      const rgb = (data[offset] << 16) | (data[offset + 1] << 8) | data[offset + 2];
      counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
    }
    const background = luminance([...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0]);
    return { name, of, contrast: Math.max(...[...counts.keys()].map((rgb) => ratio(luminance(rgb), background))) };
  });
  // A box may hold only the space between two words, so each text counts with its best box.
  const best = new Map();
  for (const box of measured) if (box.contrast >= (best.get(box.of)?.contrast ?? 0)) best.set(box.of, box);
  return [...best.values()];
}
