/*
 * What `npm run setup:cuda` brings: ONNX Runtime's CUDA build and the CUDA 13 libraries that it needs, for Linux on
 * x86-64. The runtime comes last: where it is, all that it needs is there.
 */

/** The oldest NVIDIA driver that runs programs of CUDA 13. */
export const OLDEST_DRIVER = '580.65';

/**
 * @typedef {object} Wheel
 * @property {string} name of the Python package
 * @property {string} version
 * @property {string} file the wheel's file name
 * @property {number} bytes its size
 * @property {string} sha256
 * @property {string} folder inside the wheel, where the libraries lie
 * @property {Record<string, string>} libraries file name → SHA-256 of those that are needed
 * @property {number} unpackedBytes the size of these
 */

/** @type {Wheel[]} */
export const CUDA_WHEELS = [
  {
    name: 'nvidia-cuda-runtime',
    version: '13.5.37',
    file: 'nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    bytes: 2504024,
    sha256: 'df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d',
    folder: 'nvidia/cu13/lib',
    libraries: {
      'libcudart.so.13': 'be114eaabb3f3251cf30b6e334be5e8c3cf1b12c0a11c17295a810dd83cc141a',
    },
    unpackedBytes: 806720,
  },
  {
    name: 'nvidia-cuda-nvrtc',
    version: '13.5.37',
    file: 'nvidia_cuda_nvrtc-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl',
    bytes: 58185930,
    sha256: '86b4d68058807988b7d9af5b44917a0601e9c337f35ccd657bfb3c759ff8d8bc',
    folder: 'nvidia/cu13/lib',
    libraries: {
      'libnvrtc-builtins.so.13.5': '6cecb2fd3e562bab1cb1c6e192f8f828157683c8febb22a00e178f9faf4e7f6a',
      'libnvrtc.so.13': '98a317ff5d2176dee5a04235c6663f8d553d5ed95b3104cbf7fb198cbf76a10d',
    },
    unpackedBytes: 148431960,
  },
  {
    name: 'nvidia-cublas',
    version: '13.10.0.20',
    file: 'nvidia_cublas-13.10.0.20-py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl',
    bytes: 444289903,
    sha256: 'dcc6d63884c53d07e267ce7e6feac17b2538cebaafec5db865736c3e28e4dc84',
    folder: 'nvidia/cu13/lib',
    libraries: {
      'libcublas.so.13': '863f349b5352363c66079090d43d9d56ad3d676373ecac18418fd4fb2d0579d1',
      'libcublasLt.so.13': 'b58e18ab4a6adc9bf4833d5cfe28db688e675fd6021db7eaf5da78d23f95d2de',
    },
    unpackedBytes: 608935360,
  },
  {
    name: 'nvidia-curand',
    version: '10.4.5.25',
    file: 'nvidia_curand-10.4.5.25-py3-none-manylinux_2_27_x86_64.whl',
    bytes: 77113015,
    sha256: '22bb226a857e5888fe6b54ae465fc4371296bcff13a35f79e19691bcf454f529',
    folder: 'nvidia/cu13/lib',
    libraries: {
      'libcurand.so.10': '82586610865e67dc73505087e04dd40a3cc69b281028731ce763faafe14b1347',
    },
    unpackedBytes: 104860296,
  },
  {
    name: 'nvidia-cufft',
    version: '12.5.0.14',
    file: 'nvidia_cufft-12.5.0.14-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    bytes: 165072555,
    sha256: 'b8be26837a5abad2b5b74f3e92dd29f622a42934b355be0961a48712cbba23ad',
    folder: 'nvidia/cu13/lib',
    libraries: {
      'libcufft.so.12': 'fbc2100d3725d93ebd5c407c4c33717097f34ec0fd01ee899be4c9712b671774',
    },
    unpackedBytes: 236983152,
  },
  {
    name: 'nvidia-cudnn-cu13',
    version: '9.28.0.42',
    file: 'nvidia_cudnn_cu13-9.28.0.42-py3-none-manylinux_2_27_x86_64.whl',
    bytes: 516782127,
    sha256: '7358353c75bb121a58e5f7712fe6d588883dc1df8ba00f428237e44e97543c4d',
    folder: 'nvidia/cudnn/lib',
    libraries: {
      'libcudnn.so.9': '727cf38cefa39f745dee3caa207395163a86e8fafdb47e3af6d185fdd67858d4',
      'libcudnn_adv.so.9': 'dacc728ce31957600d3dd6c3767bb6706424651d9c572d5938934fa62652c7ee',
      'libcudnn_cnn.so.9': '8e4f3c018a5f0e5ca6718cb0760c0039eccab9771e8bd358c2aa34ea4f4d3ae6',
      'libcudnn_engines_precompiled.so.9': '67452bcacd3e0e9cbb17f25be1716209749d67798ffab637ed15bcd7c6144f62',
      'libcudnn_engines_runtime_compiled.so.9':
        '274ebd014eda330d14ca01b7330d8e891f273426dac5f3cace2e14a5ae871e70',
      'libcudnn_engines_tensor_ir.so.9': '03eca268e48e9730ea06b0099b2dbbb1eedd5e9864413f8bdd34e412f4aeb5d1',
      'libcudnn_ext.so.9': '46c273e178b7733ffa5d56bd9719f378a20b94e07d2ccf23c4078e22bced0652',
      'libcudnn_graph.so.9': '85b298a6d79f972cffa0497a112f4b9bfc8299fdc08134607145a7d346febe69',
      'libcudnn_heuristic.so.9': '0a7d28b75585be9a59a1dc289ca833014987e379ee60393db17bf2571126cc7a',
      'libcudnn_ops.so.9': '175918d68a9e5f92b072200dc3e1cde70fc5f1497cf9d9b9d7f4a18aa9e6df8d',
    },
    unpackedBytes: 940113128,
  },
  {
    name: 'onnxruntime-gpu',
    version: '1.31.1',
    file: 'onnxruntime_gpu-1.31.1-cp312-cp312-manylinux_2_28_x86_64.whl',
    bytes: 255569273,
    sha256: '05d548956197b9d01f59b625de740e0d6be3593f874e241a12dc0362650ecdf7',
    folder: 'onnxruntime/capi',
    libraries: {
      'libonnxruntime_providers_cuda.so': '8387867e857499e045caff5d13ac6a5de29571c801562fa2dde0e45f1f31de52',
      'libonnxruntime_providers_shared.so':
        '086ec1d5388f64153d9c63470d126693db9a182c8ce236d3a1119068471b8a0d',
      'libonnxruntime.so.1.31.1': '5104254339ecadae808da771bd0b63b240f0dbd466514234905e54372435c303',
    },
    unpackedBytes: 313451216,
  },
];
