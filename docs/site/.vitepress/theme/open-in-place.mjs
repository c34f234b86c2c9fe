import { defineComponent, h, ref } from 'vue'

/** A link to the playground, and a button that opens it on the page, below the link. Before that, nothing of it is fetched. */
export const OpenInPlace = defineComponent({
  props: { title: { type: String, required: true } },
  setup(props, { slots }) {
    const line = ref(null)
    const address = ref('')
    const toggle = () => {
      address.value = address.value === '' ? line.value.querySelector('a').href : ''
    }
    return () => {
      const isOpen = address.value !== ''
      const button = { type: 'button', class: 'in-place-button', 'aria-expanded': String(isOpen), onClick: toggle }
      const frame = { src: address.value, title: `Playground: ${props.title}`, allow: 'clipboard-write' }
      return h('div', { class: 'in-place' }, [
        h('p', { ref: line }, [
          slots.default(),
          ' ',
          h('button', button, isOpen ? 'Close the playground' : 'Try it here'),
        ]),
        isOpen && h('iframe', frame),
      ])
    }
  },
})
